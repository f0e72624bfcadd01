// The screens of a working day on a phone, in the dark.
import assert from 'node:assert/strict';

import { accessible, failures, go, opened, refuses, staff } from '../support.mjs';

export async function phone() {
  const page = await opened('administrator', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  const [booking] = await staff('GET', '/bookings?per_page=1');
  for (const path of ['', '/bookings', `/bookings/${booking.id}`, `/departures/${booking.trip_id}/${booking.availability_id}`, '/departures', `/trips/${booking.trip_id}`, '/settings', '/bookings/new']) {
    await go(page, `/admin${path}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) failures.push(`${path || 'today'} is ${wide} px wider than a phone`);
    await accessible(page, `${path || 'today'} on a phone, dark`);
  }
  // A list has no headings there: the values say it alone.
  await go(page, '/admin/travelers');
  await page.locator('main tbody').getByText('Lead', { exact: true }).first().waitFor();
  assert.equal(await page.locator('main tbody').getByText(/^(Yes|No)$/).count(), 0);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.locator('.svc-rail').getByRole('link', { name: 'Bookings' }).first().click();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  refuses(page);
  await page.done();
}
