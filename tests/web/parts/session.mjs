// Signing in and out, a session that ends under a page, settings that show at once.
import assert from 'node:assert/strict';

import { BASE, accessible, go, opened, refuses, staff, users } from '../support.mjs';

export async function signing_in() {
  const page = await opened(null);
  await page.goto(`${BASE}/admin/bookings`);
  await page.getByLabel('Login or e-mail').fill(users.administrator[0]);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await accessible(page, 'sign in refused');
  await page.getByLabel('Password').fill(users.administrator[1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  // A reload keeps the session, another tab has it too, and signing out ends it.
  await page.reload();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Forgot the password?' }).click();
  await page.getByLabel('E-mail address').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If this address has an account').waitFor();
  await accessible(page, 'forgot');
  refuses(page, 401, 400, 403);
  await page.done();
}

export async function session() {
  const page = await opened('administrator', {}); // its cookies go
  await go(page, '/admin/destinations/new');
  await page.getByLabel(/^Name\*?$/).first().fill('Typed before the session ended');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await accessible(page, 'signing in over a page');
  await dialog.getByLabel('Password').fill(users.administrator[1]);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/destinations\/\d+$/);
  const id = page.url().split('/').pop();
  assert.equal((await staff('GET', `/destinations/${id}`)).name, 'Typed before the session ended');
  refuses(page, 401);
  await go(page, '/admin/self');
  await page.getByText('this one').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('gatew');
  await page.getByRole('option', { name: /Gateways/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gateways', level: 1 }).waitFor();
  // "/" goes to the list's own search.
  await go(page, '/admin/customers');
  await page.keyboard.press('/');
  await page.keyboard.type('berg');
  await page.waitForURL(/search=berg/);
  refuses(page);
  await page.done();
}

export async function changed_settings() {
  const page = await opened('administrator');
  // A setting changed here shows at once.
  await go(page, '/admin/settings?search=company_name');
  await page.getByLabel('Company name').fill('Pfad & Berg');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-brand').getByText('Pfad & Berg').waitFor();
  await go(page, '/admin/settings?changed=1');
  await page.getByLabel('Company name').waitFor();
  // Visitors see it, too.
  assert.match(await (await fetch(`${BASE}/`)).text(), /Pfad &amp; Berg/);
  refuses(page);
  await page.done();
}
