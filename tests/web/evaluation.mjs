// Pro's evaluation in Chromium: run by evaluation_test.py, which starts the server.
import assert from 'node:assert/strict';

import { accessible, browser, failures, go, opened, refuses, settled, staff } from './support.mjs';

const banner = (page) => page.getByText('Evaluation, 30 days left', { exact: true });

const page = await opened('administrator');
await go(page, '/admin/modules');
assert.equal(await page.locator('.svc-evaluation').count(), 0);
await page.getByRole('button', { name: 'Try all modules for 30 days' }).click();
const dialog = page.getByRole('dialog');
await dialog.getByText('Begin the evaluation: 30 days of all plans, once on each database.').waitFor();
await accessible(page, 'the evaluation is offered');
await dialog.getByRole('button', { name: 'Run' }).click();
await banner(page).waitFor();
await page.getByRole('switch', { name: 'Additional services', checked: true }).waitFor();
await settled(page);
// The licence says it, and there is nothing more to press.
await page.getByText('Evaluation', { exact: true }).waitFor();
for (const name of ['Try all modules for 30 days', 'Deactivate here']) assert.equal(await page.getByRole('button', { name }).count(), 0);
await accessible(page, 'the evaluation runs');
const on = (await staff('GET', '/modules')).filter((one) => one.is_available);
assert(on.length >= 5 && on.every((one) => one.enabled), JSON.stringify(on));
// On every page, after a load too, and on a phone.
for (const path of ['/admin', '/admin/bookings', '/admin/settings', '/admin/self']) {
  await go(page, path);
  assert(await banner(page).isVisible(), path);
}
await page.reload();
await banner(page).waitFor();
await page.setViewportSize({ width: 360, height: 740 });
assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than a phone');
refuses(page);
await page.done();

// For whoever may not see the licence too.
const desk = await opened('front_desk');
await banner(desk).waitFor();
await desk.done();

await browser.close();
for (const one of failures) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
