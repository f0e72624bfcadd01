// A button that stores something says so while it does, keeps the focus, and a second press does nothing.
import assert from 'node:assert/strict';

import { api, go, opened, refuses, sql } from '../support.mjs';

// Presses twice while the answer is held back; the requests that were sent.
async function pressed(page, control, method, path) {
  const sent = [];
  const address = new RegExp(`${path}$`);
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    sent.push(route.request().url());
    await page.waitForTimeout(400);
    return route.fallback();
  });
  await control.evaluate((one) => (one.focus(), one.click(), one.click()));
  const handle = await control.elementHandle();
  await page.waitForFunction((one) => one.getAttribute('aria-busy') === 'true', handle);
  await control.evaluate((one) => one.click()); // and once more when it is known to be busy
  assert(await control.evaluate((one) => one === document.activeElement), `${path}: the focus stays`);
  await page.waitForFunction((one) => one.getAttribute('aria-busy') === 'false', handle);
  assert.equal(sent.length, 1, `${path}: ${sent.length} requests`);
  await page.unroute(address);
}

export async function pressed_once() {
  const page = await opened('manager', {});
  await sql("UPDATE svc_users SET email_verified_at = NULL WHERE login = 'manager'");
  await go(page, '/admin/self');
  await page.reload(); // who is signed in is known from when the page was opened
  await pressed(page, page.getByRole('button', { name: 'Send a link to confirm it' }), 'POST', '/auth/resend-verification');
  await page.getByText('The link is on its way.').waitFor();
  await sql("UPDATE svc_users SET email_verified_at = created_at WHERE login = 'manager'");
  refuses(page);
  await page.done();
  const boss = await opened('administrator', {});
  await go(boss, '/admin/gateways');
  const offered = boss.getByRole('switch', { name: /^Offer / }).first();
  const before = await offered.isChecked();
  for (const to of [!before, before]) {
    await pressed(boss, offered, 'POST', '/payment/gateways/[a-z_]+/config');
    await boss.waitForFunction(([one, on]) => one.checked === on, [await offered.elementHandle(), to]);
  }
  await go(boss, '/admin/tools/caches');
  await pressed(boss, boss.getByRole('button', { name: 'Fill beforehand' }), 'POST', '/cache/warm');
  // A form that is sent by Enter twice.
  await go(boss, '/admin/destinations/new');
  const sent = [];
  await boss.route(`${api}/destinations`, async (route) => {
    if (route.request().method() === 'POST') sent.push(1);
    await boss.waitForTimeout(300);
    return route.continue();
  });
  await boss.getByLabel(/^Name\*?$/).first().fill('Once only');
  await boss.evaluate(() => {
    const form = document.querySelector('main form');
    form.requestSubmit();
    form.requestSubmit();
  });
  await boss.waitForURL(/destinations\/\d+$/);
  assert.equal(sent.length, 1);
  await boss.unroute(`${api}/destinations`);
  refuses(boss);
  await boss.done();
}
