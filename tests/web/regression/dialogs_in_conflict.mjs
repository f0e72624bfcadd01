// A form whose record somebody else saved first, in a dialog or of a trip: both versions are shown.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function dialogs_in_conflict() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Contested walk', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const path = `/trips/${trip.id}/departures`;
  const departure = await staff('POST', path, { start_date: ahead(35), max_capacity: 8 });
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(35), travelers_count: 1, contact_first_name: 'Ada', contact_last_name: 'King', contact_email: 'king@example.org', status: 'confirmed' });
  const now = () => staff('GET', `${path}/${departure.id}`);
  const versions = page.getByRole('dialog', { name: 'Somebody else saved this meanwhile' });
  await go(page, `/admin/departures/${trip.id}/${departure.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').getByLabel(/^Max capacity/).fill('12');
  await staff('PUT', `${path}/${departure.id}`, { notes: 'theirs', row_version: (await now()).row_version });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await versions.getByRole('cell', { name: 'theirs' }).waitFor();
  await accessible(page, 'a departure in conflict', { contrast: false });
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  const stored = await now();
  assert.deepEqual([stored.max_capacity, stored.notes], [12, 'theirs']);

  // A trip, whose form is a screen.
  await go(page, `/admin/trips/${trip.id}`);
  await page.getByLabel(/^Title/).first().fill('Contested and renamed');
  await staff('PUT', `/trips/${trip.id}`, { title: 'Renamed by them' });
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await versions.getByRole('cell', { name: 'Renamed by them' }).waitFor();
  await versions.getByRole('cell', { name: 'Contested and renamed' }).waitFor();
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await versions.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal((await staff('GET', `/trips/${trip.id}`)).title, 'Contested and renamed');

  const rule = await staff('POST', '/recurring-availability', { trip_id: trip.id, rule_type: 'weekly', days_of_week: [6], start_date: ahead(60), seats_total: 8, status: 'inactive', name: 'Saturdays' });
  await go(page, `/admin/trips/${trip.id}/dates`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Mine');
  await staff('PUT', `/recurring-availability/${rule.id}`, { name: 'Theirs' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/recurring-availability/${rule.id}`)).name, 'Theirs');

  await go(page, `/admin/bookings/${booking.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move or change the party' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.svc-counter input').first().fill('2');
  await settled(page);
  await staff('PUT', `/bookings/${booking.id}`, { internal_notes: 'theirs' });
  await dialog.getByRole('button', { name: 'Save the change' }).click();
  await versions.getByRole('cell', { name: 'theirs' }).waitFor();
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).travelers_count, 1);
  refuses(page, 409);
  await page.done();
}
