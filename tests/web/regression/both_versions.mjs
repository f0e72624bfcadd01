// Somebody else changed what is being changed: nothing is written over unseen, wherever something is typed, whether the
// server compares versions or not, and also where the record was read anew under what was typed.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const versions_of = (page) => page.getByRole('dialog', { name: 'Somebody else saved this meanwhile' });

async function trip_with_a_booking(title, days) {
  const trip = await staff('POST', '/trips', { title, regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(days), max_capacity: 8 });
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(days), travelers_count: 2, contact_first_name: 'Ada', contact_last_name: 'King', contact_email: 'king@example.org', status: 'confirmed' });
  return { trip, booking };
}

export async function both_versions_of_a_booking() {
  const page = await opened('administrator', {});
  const versions = versions_of(page);
  const { booking } = await trip_with_a_booking('Walk of two desks', 36);
  const now = () => staff('GET', `/bookings/${booking.id}`);
  await go(page, `/admin/bookings/${booking.id}`);
  const note = page.getByLabel('Note for colleagues');
  const save_note = page.getByRole('button', { name: 'Save the note' });
  await note.fill('Mine');
  await staff('PUT', `/bookings/${booking.id}`, { internal_notes: 'Theirs' });
  await save_note.click();
  await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
  await versions.getByRole('cell', { name: 'Mine' }).waitFor();
  await accessible(page, 'a note in conflict');
  assert.equal((await now()).internal_notes, 'Theirs');
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('The note is saved.').waitFor();
  assert.equal((await now()).internal_notes, 'Mine');
  await settled(page);
  // What was changed beside it is no conflict.
  await note.fill('Mine, too');
  await staff('PUT', `/bookings/${booking.id}`, { special_requests: 'A window' });
  await save_note.click();
  await save_note.waitFor({ state: 'detached' });
  assert.equal((await now()).internal_notes, 'Mine, too');
  // Another write of ours reads the booking anew while the note is typed.
  await settled(page);
  await note.fill('Third');
  await staff('PUT', `/bookings/${booking.id}`, { internal_notes: 'Changed under it' });
  await page.getByRole('button', { name: 'Record a payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Record / }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await settled(page);
  await save_note.click();
  await versions.getByRole('cell', { name: 'Changed under it' }).waitFor();
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await versions.waitFor({ state: 'detached' });
  assert.equal(await note.inputValue(), 'Changed under it');

  // Travelers: another's names, then the party that was moved.
  const dialog = page.getByRole('dialog', { name: 'Travelers' });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('First name').first().fill('Ada');
  await staff('PUT', `/bookings/${booking.id}/travellers`, { travelers: [{ first_name: 'Grace', last_name: 'Hopper' }] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await versions.waitFor();
  assert.equal((await now()).travelers[0].fields.first_name, 'Grace');
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Grace Hopper').first().waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('First name').nth(1).fill('Alan');
  await dialog.getByLabel('Last name').nth(1).fill('Turing');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Alan Turing').first().waitFor();
  assert.deepEqual((await now()).travelers.map((one) => one.fields.last_name), ['Hopper', 'Turing']);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move or change the party' }).click();
  const move = page.getByRole('dialog', { name: /^Change / });
  await move.locator('.svc-counter input').first().fill('3');
  await settled(page);
  await staff('PUT', `/bookings/${booking.id}`, { travelers_count: 1 });
  await move.getByRole('button', { name: 'Save the change' }).click();
  const row = versions.getByRole('row', { name: /traveler/i }).first();
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await move.waitFor({ state: 'detached' });
  assert.equal((await now()).travelers_count, 3);
  refuses(page, 409);
  await page.done();
}

export async function both_versions_of_a_trip() {
  const page = await opened('administrator', {});
  const versions = versions_of(page);
  const { trip } = await trip_with_a_booking('Walk of two editors', 37);
  const entry = await staff('POST', '/itineraries', { trip_id: trip.id, mode: 'day', day: 1, day_title: 'Up' });
  await go(page, `/admin/trips/${trip.id}/itinerary`);
  await page.getByRole('button', { name: 'Edit day 1' }).click();
  await page.getByRole('dialog').getByLabel(/^Title/).fill('Mine');
  await staff('PUT', `/itineraries/${entry.id}?mode=day`, { day_title: 'Theirs' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await versions.getByRole('cell', { name: 'Theirs' }).first().waitFor();
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await page.locator('.svc-days').getByText('Mine').waitFor();
  // A text of the trip is changed by somebody else, and the trip read anew by a write of its itinerary.
  await go(page, `/admin/trips/${trip.id}`);
  await page.getByLabel(/^Title/).first().fill('Renamed by me');
  await page.getByRole('link', { name: 'Itinerary' }).click();
  await staff('PUT', `/trips/${trip.id}`, { title: 'Renamed by them' });
  await page.getByRole('button', { name: 'Edit day 1' }).click();
  await page.getByRole('dialog').getByLabel(/^Title/).fill('Up again');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await settled(page);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await versions.getByRole('cell', { name: 'Renamed by them' }).waitFor();
  assert.equal((await staff('GET', `/trips/${trip.id}`)).title, 'Renamed by them');
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await versions.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal((await staff('GET', `/trips/${trip.id}`)).title, 'Renamed by me');
  // An attribute.
  const attribute = await staff('POST', '/attributes', { name: 'Contested footing', field_type: 'text_field' });
  const value = async () => (await staff('GET', `/trips/${trip.id}/attributes`)).find((one) => (one.attribute_id ?? one.id) === attribute.id)?.value;
  await go(page, `/admin/trips/${trip.id}/attributes`);
  await page.getByLabel('Contested footing').fill('Rock');
  await staff('POST', `/trips/${trip.id}/attributes`, { attributes: { [attribute.id]: 'Sand' } });
  await page.getByRole('button', { name: 'Save the attributes' }).click();
  await versions.getByRole('row', { name: /^Contested footing/ }).getByRole('cell', { name: 'Sand' }).waitFor();
  assert.equal(await value(), 'Sand');
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await versions.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal(await value(), 'Rock');
  await staff('DELETE', `/attributes/${attribute.id}`);
  // The answer to a review.
  const review = await staff('POST', '/reviews', { trip_id: trip.id, author_name: 'Ada', author_email: 'king@example.org', rating: 4, title: 'Steep', content: 'Steep, and worth it.' });
  await go(page, `/admin/reviews/${review.id}`);
  await page.getByLabel('Your answer').fill('Mine');
  await staff('PUT', `/reviews/${review.id}`, { reply: 'Theirs' });
  await page.getByRole('button', { name: 'Save the answer' }).click();
  await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('The answer is saved.').waitFor();
  assert.equal((await staff('GET', `/reviews/${review.id}`)).reply, 'Mine');
  refuses(page);
  await page.done();
}

// The server compares no versions of these.
export async function both_versions_of_settings() {
  const page = await opened('administrator', {});
  const versions = versions_of(page);
  await go(page, '/admin/settings?search=company_zip');
  const zip = async () => (await staff('GET', '/settings')).company_zip;
  await page.getByLabel('Company zip').fill('11111');
  await staff('PUT', '/settings', { company_zip: '22222', company_city: 'Elsewhere' });
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await versions.getByRole('cell', { name: '22222' }).waitFor();
  await accessible(page, 'settings in conflict', { contrast: false });
  assert.equal(await zip(), '22222');
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('Saved. The site shows it at once.').waitFor();
  assert.deepEqual([await zip(), (await staff('GET', '/settings')).company_city], ['11111', 'Elsewhere']);
  await staff('PUT', '/settings', { company_zip: '', company_city: '' });

  await go(page, '/admin/emails');
  await page.getByRole('button', { name: /^Edit / }).first().click();
  const before = await staff('GET', '/settings');
  await page.getByRole('dialog').getByLabel('Subject').fill('Mine');
  const subjects = Object.keys(before).filter((one) => /^email_tpl_.*_subject$/.test(one));
  await staff('PUT', '/settings', Object.fromEntries(subjects.map((one) => [one, 'Theirs'])));
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await staff('PUT', '/settings', Object.fromEntries(subjects.map((one) => [one, before[one]])));

  // A part of the booking form that somebody else changed stays, the same part is a conflict.
  const form = await staff('GET', '/settings/booking-form');
  const renamed = (part, label) => ({ ...form[part], fields: form[part].fields.map((one, at) => (at ? one : { ...one, label })) });
  await go(page, '/admin/booking-form');
  const label = page.getByLabel(`Label of ${form.contact_form.fields[0].id}`, { exact: true }).first();
  await label.fill('Mine');
  await staff('PUT', '/settings/booking-form', { ...form, emergency_contact_form: renamed('emergency_contact_form', 'Beside it') });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The booking form is saved.').waitFor();
  let stored = await staff('GET', '/settings/booking-form');
  assert.deepEqual([stored.contact_form.fields[0].label, stored.emergency_contact_form.fields[0].label], ['Mine', 'Beside it']);
  await settled(page);
  await label.fill('Mine again');
  await staff('PUT', '/settings/booking-form', { ...stored, contact_form: renamed('contact_form', 'Theirs') });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await versions.waitFor();
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await versions.waitFor({ state: 'detached' });
  assert.equal(await label.inputValue(), 'Theirs');
  stored = await staff('GET', '/settings/booking-form');
  assert.equal(stored.contact_form.fields[0].label, 'Theirs');
  await staff('PUT', '/settings/booking-form', form);

  await go(page, '/admin/gateways');
  await page.getByRole('listitem').filter({ hasText: 'Bank transfer' }).getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: /Bank transfer/ });
  const text = dialog.getByLabel(/^Title/);
  const title = await text.inputValue();
  await text.fill('Mine');
  await staff('POST', '/payment/gateways/bank_transfer/config', { title: 'Theirs' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await versions.getByRole('cell', { name: 'Theirs' }).waitFor();
  await versions.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('Saved.', { exact: true }).first().waitFor();
  await staff('POST', '/payment/gateways/bank_transfer/config', { title });
  refuses(page);
  await page.done();
}
