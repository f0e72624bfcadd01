// Signing in and out, a session that ends under a page, settings that show at once.
import assert from 'node:assert/strict';

import { BASE, accessible, go, mailed, opened, refuses, sql, staff, users } from '../support.mjs';

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

// A new address counts once the link that was mailed to it is used; until then it can be kept.
async function ask_for(page, address, secret) {
  await page.getByRole('button', { name: 'Change the e-mail' }).click();
  await page.getByLabel('New address').fill(address);
  await page.getByRole('dialog').getByLabel('Present password').fill(secret);
  await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click();
}
export async function my_address() {
  const page = await opened('marketing');
  await go(page, '/admin/self');
  await ask_for(page, 'new@example.org', 'wrong');
  await page.getByRole('dialog').locator('.svc-error, .svc-notice').first().waitFor();
  assert.equal(await page.getByLabel('New address').inputValue(), 'new@example.org');
  await accessible(page, 'my address refused', { contrast: false });
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await ask_for(page, 'new@example.org', users.marketing[1]);
  await page.getByText('A link was mailed to new@example.org.').waitFor();
  await accessible(page, 'my address waiting', { contrast: false });
  // Sent again at once: how long to wait is said. Whom no link was mailed to of late gets one.
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.getByText(/Try again in \d+ seconds/).waitFor();
  await sql("UPDATE svc_users SET pending_email = 'newer@example.org' WHERE login = 'marketing'");
  await page.reload();
  await page.getByText('A link was mailed to newer@example.org.').waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.getByText('The link is on its way.').waitFor();
  const visitor = await opened(null);
  await visitor.goto(await mailed('account_email_change_request', 'newer@example.org'));
  await visitor.getByLabel('Password of this account').fill(users.marketing[1]);
  await visitor.getByRole('button', { name: 'Use this address' }).click();
  await visitor.getByText('The e-mail address is changed').first().waitFor();
  await visitor.done();
  const again = await fetch(`${BASE}/svc/v1/auth/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ username: 'newer@example.org', password: users.marketing[1] }) });
  assert(again.ok, 'signs in by the new address');
  refuses(page, 400, 401, 403, 429);
  await page.done();
}

export async function my_address_stays() {
  const page = await opened('auditor');
  await go(page, '/admin/self');
  await ask_for(page, 'other@example.org', users.auditor[1]);
  await page.getByRole('button', { name: 'Keep the present address' }).click();
  await page.getByText('A link was mailed to other@example.org.').waitFor({ state: 'detached' });
  await page.getByText('auditor@example.org').first().waitFor();
  await visitor_cannot(await mailed('account_email_change_request', 'other@example.org'));
  refuses(page);
  await page.done();
}
async function visitor_cannot(link) {
  const visitor = await opened(null);
  await visitor.goto(link);
  await visitor.getByText(/no longer|invalid|not valid|expired/i).first().waitFor();
  await visitor.done();
}

export async function my_unconfirmed_address() {
  const page = await opened('accountant', {});
  await go(page, '/admin/self');
  assert.equal(await page.getByRole('button', { name: 'Send a link to confirm it' }).count(), 0);
  await sql("UPDATE svc_users SET email_verified_at = NULL WHERE login = 'accountant'");
  await page.reload();
  await page.getByText('The address is not confirmed yet.').waitFor();
  await page.getByRole('button', { name: 'Send a link to confirm it' }).click();
  await page.getByText('The link is on its way.').waitFor();
  assert.match(await mailed('customer_email_verification', 'accountant@example.org'), /verify/);
  refuses(page);
  await page.done();
}
