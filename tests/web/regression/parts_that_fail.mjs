// One part of a screen that fails took the rest down; a chunk of an older release left a white page.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses } from '../support.mjs';

export async function one_part_fails_alone() {
  const page = await opened('administrator');
  await page.route(/\/admin\/today$/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    return route.fulfill({ response, json: { ...answer, data: { ...answer.data, departures: { error: 'Broken for the test.' } } } });
  });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.reload();
  await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();
  await page.getByText('Broken for the test.').first().waitFor();
  await page.locator('.svc-rows li').first().waitFor();
  // And once it works again, "Try again" is enough.
  await page.unroute(/\/admin\/today$/);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText('Broken for the test.').first().waitFor({ state: 'detached' });
  await page.done();
}

// After an update the server no longer has the old chunks: the page is loaded anew, once, and never stays white.
export async function a_missing_chunk() {
  const page = await opened('administrator', {}); // a page that has loaded no chunk of a screen yet
  let asked = 0;
  await page.route(/chunks\/reports-/, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue();
  });
  await page.evaluate(() => {
    history.pushState(null, '', '/admin/reports');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  assert.equal(asked, 2);
  await page.done();
}

// An expired link of a mail, a screen that is none: a sentence and a way back, no white page.
export async function an_unknown_screen() {
  const page = await opened('administrator');
  await go(page, '/admin/bookings/99999999');
  await page.getByRole('alert').waitFor();
  for (const path of ['/nothing-such', '/nothing-such/7', '/nothing-such/new']) {
    await go(page, `/admin${path}`);
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    if (path === '/nothing-such') await accessible(page, 'an unknown screen');
    await page.locator('main').getByRole('link', { name: 'Back to today' }).click();
    await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();
  }
  refuses(page, 404);
  await page.done();
}
