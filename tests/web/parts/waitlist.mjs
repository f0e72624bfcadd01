// The waiting list: by departure, as the server serves, with the seats that are free; seats given, somebody taken off.
import assert from 'node:assert/strict';

import { ahead, join } from '../filled.mjs';
import { accessible, go, opened, refuses, sql, staff } from '../support.mjs';

export async function waitlist() {
  const page = await opened('administrator');
  await staff('PUT', '/settings', { allow_waitlist: true });
  const trip = await staff('POST', '/trips', { title: 'Crowded walk', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const departure = await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(44), max_capacity: 2 });
  const first = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(44), travelers_count: 2, contact_first_name: 'Emmy', contact_last_name: 'Noether', contact_email: 'emmy@example.org', status: 'confirmed' });
  const waiting = [];
  for (const [name, party] of [['Fritz', 2], ['Ida', 1], ['Otto', 1]]) waiting.push(await join(trip.id, ahead(44), name, 'Noether', party));
  await go(page, '/admin/waitlist');
  const section = page.locator('main section', { hasText: 'Crowded walk' });
  await section.getByText('No seat is free.').waitFor();
  const queue = () => section.locator('li b').allInnerTexts();
  const shows = async (names) => {
    for (let turn = 0; turn < 50 && (await queue()).join() !== names.join(); ++turn) await page.waitForTimeout(200);
    assert.deepEqual(await queue(), names);
  };
  const open = async () => {
    await go(page, '/admin');
    await go(page, '/admin/waitlist');
  };
  await shows(['1. Fritz Noether', '2. Ida Noether', '3. Otto Noether']);
  const give = section.getByRole('button', { name: 'Give seats to Ida Noether' });
  assert(await give.isDisabled());
  await accessible(page, 'the waiting list');
  // Who came to this date later, with an older booking, stands behind.
  const later = (id, micros) => sql(`UPDATE svc_waitlist SET joined_at = joined_at + ${micros} WHERE booking_id = ${id}`);
  await later(waiting[0].id, 3_600_000_000);
  await open();
  await shows(['1. Ida Noether', '2. Otto Noether', '3. Fritz Noether']);
  await later(waiting[0].id, -3_600_000_000);
  // A seat more is too little for the first, whom the server does not pass over: staff may.
  await staff('PUT', `/trips/${trip.id}/departures/${departure.id}`, { max_capacity: 3, row_version: departure.row_version });
  await open();
  await section.getByText('1 seat is free.').waitFor();
  assert(await section.getByRole('button', { name: 'Give seats to Fritz Noether' }).isDisabled());
  const status = async (id) => (await staff('GET', `/bookings/${id}`)).status;
  assert.deepEqual(await Promise.all(waiting.map((one) => status(one.id))), ['waitlist', 'waitlist', 'waitlist']);
  await give.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Give the seats' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await status(waiting[1].id), 'pending');
  await section.getByText('2. Otto Noether').waitFor();
  await section.getByRole('button', { name: 'More for Fritz Noether' }).click();
  await page.getByRole('menuitem', { name: 'Take off the list' }).click();
  await page.getByRole('dialog').getByLabel('Reason, told to the customer').fill('The walk is full.');
  await accessible(page, 'taking somebody off the list', { contrast: false });
  await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click();
  await section.getByText('1. Otto Noether').waitFor();
  assert.equal(await status(waiting[0].id), 'cancelled');
  assert.equal(await status(first.id), 'confirmed');
  refuses(page);
  await page.done();
}
