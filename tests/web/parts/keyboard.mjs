// Work without a mouse: search, lists, menus and dialogs; where the focus is, stays and goes back to.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses } from '../support.mjs';

const focused = (page, what) => page.waitForFunction((one) => document.activeElement?.matches(one), what);

export async function keyboard() {
  const page = await opened('administrator');
  await go(page, '/admin/bookings');
  await page.keyboard.press('/');
  await focused(page, 'input[data-search]');
  // Rows by arrows, chosen by x, opened by Enter.
  await page.locator('tbody a.svc-first').first().focus();
  const second = await page.locator('tbody a.svc-first').nth(1).getAttribute('href');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((href) => document.activeElement?.getAttribute('href') === href, second);
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Chosen entries' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${second}`);
  await page.getByRole('button', { name: 'Record a payment' }).or(page.getByRole('button', { name: 'More' })).first().waitFor();
  // A row that is pressed beside its name is looked at first, and opened from there.
  await go(page, '/admin/bookings');
  const row = page.locator('tbody tr').nth(1);
  const reference = await row.locator('a.svc-first').innerText();
  await row.locator('td').last().click();
  const sheet = page.getByRole('dialog', { name: reference });
  await sheet.getByText('Party').waitFor();
  await accessible(page, 'a booking beside its list');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  assert.match(page.url(), /admin\/bookings$/);
  await row.locator('td').last().click();
  await sheet.getByRole('link', { name: 'Open' }).click();
  await page.waitForURL(`**${second}`);
  await page.getByRole('button', { name: 'More' }).first().waitFor();
  // A menu by arrows; Escape closes it and the focus is on its button.
  const more = page.locator('main').getByRole('button', { name: 'More' });
  await more.focus();
  await page.keyboard.press('Enter');
  await focused(page, '[role=menuitem]');
  const first = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await page.evaluate(() => document.activeElement.textContent), first);
  await page.keyboard.press('Escape');
  await page.locator('[role=menu]:popover-open').waitFor({ state: 'detached' });
  assert.equal(await more.evaluate((one) => document.activeElement === one), true, 'the focus is back on the menu');
  // A dialog keeps the focus, Escape closes it, and what opened it has the focus again.
  await go(page, '/admin/self');
  const opener = page.getByRole('button', { name: 'Change the e-mail' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let steps = 0; steps < 14; steps += 1) {
    await page.keyboard.press('Tab');
    assert(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement.closest('dialog')), 'the focus left the dialog');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await opener.evaluate((one) => document.activeElement === one), true, 'the focus is back on what opened the dialog');
  // The palette: to a screen by words and arrows; Escape leaves all as it was.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('book');
  await page.getByRole('listbox', { name: 'Results' }).getByRole('option').nth(1).waitFor();
  const at = () => page.locator('[role=option][aria-selected=true]').innerText();
  const before = await at();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((text) => document.querySelector('[role=option][aria-selected=true]')?.innerText !== text, before);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search or go to' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /admin\/self$/);
  assert.equal(await opener.evaluate((one) => document.activeElement === one), true, 'the focus is where it was');
  // What has no page of its own is looked at by Enter.
  const answer = { data: [{ id: 1, created_at: '2026-11-01T10:00:00Z', type: 'system', level: 'info', event: 'job_ended', message: 'One job ended.', context: {} }], meta: { total: 1, page: 1, per_page: 25, total_pages: 1 } };
  await page.route(/\/tools\/logs(\?|$)/, (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(answer) }));
  await go(page, '/admin/tools/logs');
  await page.locator('tbody button').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('One job ended.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  refuses(page);
  await page.done();
}
