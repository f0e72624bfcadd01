// The admin opened at another address than the site's own: its policy refused the pictures, whose addresses begin with
// the site's.
import assert from 'node:assert/strict';

import { BASE, go, opened, refuses, settled, staff } from '../support.mjs';

export async function at_another_address() {
  const elsewhere = BASE.replace('127.0.0.1', 'localhost');
  const page = await opened(null);
  const violations = [];
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && violations.push(message.text()));
  await page.goto(`${elsewhere}/admin`);
  const users = JSON.parse(process.env.USERS);
  await page.getByLabel('Login or e-mail').fill(users.administrator[0]);
  await page.getByLabel('Password').fill(users.administrator[1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.svc-frame').waitFor();
  await go(page, '/admin/media');
  await settled(page);
  assert((await staff('GET', '/media')).length > 0);
  const picture = page.locator('main img').first();
  await picture.waitFor();
  assert((await picture.getAttribute('src')).startsWith(BASE), 'the test needs a picture of the other address');
  await page.waitForFunction(() => document.querySelector('main img').naturalWidth > 0);
  assert.deepEqual(violations, []);
  refuses(page);
  await page.done();
}
