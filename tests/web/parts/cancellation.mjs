// What cancelling costs: set for a trip and in the settings, read by visitors, agreed to with a booking, mailed, and
// shown when somebody cancels.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, accessible, api, go, opened, refuses, settled, staff } from '../support.mjs';

const phone = { viewport: { width: 360, height: 740 } };
const says = (page, text) => page.getByText(text).first().waitFor();
const html_of = async (template, address) => (await fetch(`${process.env.MAILS}/html/${template}/${encodeURIComponent(address)}`)).text();
const link_of = async (template, address) => (await fetch(`${process.env.MAILS}/${template}/${encodeURIComponent(address)}`)).text();

async function given_trip(title, more = {}) {
  const trip = await staff('POST', '/trips', { title, summary: 'By the river.', regular_price: 400, duration: 1, status: 'publish', ...more });
  for (const days of [20, 60]) await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(days), max_capacity: 8 });
  return trip;
}

const three_rows = [{ days: 30, percentage: 0 }, { days: 10, amount: 25, per: 'traveler' }, { days: null, percentage: 80 }];

// Booked by a visitor; the answer names the booking.
async function booked(trip, days, first) {
  const call = async (path, body) => {
    const answer = await fetch(api + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    assert(answer.ok, `${path}: ${await answer.clone().text()}`);
    return (await answer.json()).data;
  };
  const { session_id } = await call('/booking/session', { trip_id: trip.id });
  const travelers = [first, 'Charles'].map((first_name) => ({ first_name, last_name: 'Lovelace', email: `${first_name.toLowerCase()}@example.org`, phone: '+49 421 555 0101', date_of_birth: '1982-03-23', nationality: 'DE', gender: 'female' }));
  const made = await call('/booking/create', { session_id, trip_id: trip.id, travel_date: ahead(days), travelers_count: 2, contact_first_name: first, contact_last_name: 'Lovelace', contact_email: `${first.toLowerCase()}@example.org`, contact_country: 'DE', contact_phone: '+49 421 555 0101', emergency_name: 'Max Lovelace', emergency_phone: '+49 421 555 0102', travelers, payment_method: 'full', payment_gateway: 'pay_later' });
  return { id: made.booking_id, email: `${first.toLowerCase()}@example.org`, reference: made.reference };
}

export async function cancellation_terms_of_a_trip() {
  const trip = await given_trip('River with terms');
  const page = await opened('administrator');
  await go(page, `/admin/trips/${trip.id}/prices`);
  await page.getByRole('button', { name: 'Set terms for this trip' }).click();
  await says(page, 'Cancelling is free until 14 days before departure.');
  await page.getByLabel('Days of row 1').fill('30');
  await says(page, 'Cancelling is free until 30 days before departure.');
  await page.getByRole('button', { name: 'Add a row' }).click();
  await says(page, 'The sentences follow once each row has its days and its fee.');
  assert.equal(await page.getByLabel('Days of row 2').inputValue(), '15');
  await page.getByLabel('Unit of row 2').selectOption('traveler');
  await page.getByLabel('Fee of row 2').fill('25');
  await says(page, 'Until 15 days before departure, cancelling costs USD 25.00 per traveler.');
  await page.getByLabel('Fee from then on', { exact: true }).fill('80');
  await says(page, 'After that, cancelling costs 80% of the price.');
  await page.getByLabel('Days of row 2').fill('40');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('#cancellation_terms-error-1').waitFor();
  await accessible(page, 'cancellation terms that are refused');
  await page.getByLabel('Days of row 2').fill('10');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await says(page, 'Saved.');
  await settled(page);
  const stored = (await staff('GET', `/trips/${trip.id}`)).cancellation_terms;
  assert.deepEqual(stored.map((one) => [one.days, one.percentage, one.amount, one.per]), [[30, 0, null, 'booking'], [10, null, 25, 'traveler'], [null, 80, null, 'booking']]);
  await accessible(page, 'cancellation terms of a trip');
  await page.getByRole('button', { name: 'Remove the terms' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByRole('button', { name: 'Set terms for this trip' }).waitFor();
  await settled(page);
  refuses(page, 400);
  await page.done();
  assert.equal((await staff('GET', `/trips/${trip.id}`)).cancellation_terms, null);
}

export async function cancellation_terms_on_a_phone() {
  const trip = await given_trip('River with terms on a phone', { cancellation_terms: three_rows });
  for (const language of ['en', 'de']) {
    const page = await opened('administrator', { ...phone, language });
    await go(page, `/admin/trips/${trip.id}/prices`);
    await page.locator('[data-preview] li').first().waitFor();
    await settled(page);
    assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page is wider than a phone, ${language}`);
    await accessible(page, `cancellation terms on a phone, ${language}`);
    await page.done();
  }
}

export async function cancellation_terms_of_the_settings() {
  const page = await opened('administrator');
  await go(page, '/admin/settings?group=booking');
  await page.getByRole('button', { name: 'Set terms' }).click();
  await says(page, 'Cancelling is free until 14 days before departure.');
  await accessible(page, 'cancellation terms of the settings');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await says(page, 'Saved. The site shows it at once.');
  assert.equal((await staff('GET', '/settings')).cancellation_terms.length, 2);
  const trip = await given_trip('River with the terms of the settings');
  await go(page, `/admin/trips/${trip.id}/prices`);
  await says(page, 'This trip has the terms of the settings.');
  await says(page, 'Cancelling is free until 14 days before departure.');
  await go(page, '/admin/settings?group=booking');
  await page.getByRole('button', { name: 'Remove the terms' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByRole('button', { name: 'Set terms' }).waitFor();
  await settled(page);
  await page.done();
  assert.deepEqual((await staff('GET', '/settings')).cancellation_terms, []);
}

export async function visitors_read_what_cancelling_costs() {
  const trip = await given_trip('River that visitors cancel', { cancellation_terms: three_rows, cancellation_policy: 'Write to us in time.' });
  for (const look of [{}, phone, { javaScriptEnabled: false }]) {
    const page = await opened(null, look);
    await page.goto(`${BASE}/trip/${trip.slug}`);
    await page.locator('#book').getByText('Cancelling is free until 30 days before departure.').waitFor();
    await page.locator('#cancelling').getByText('Until 10 days before departure, cancelling costs USD 25.00 per traveler.').waitFor();
    await page.locator('#cancelling').getByText('After that, cancelling costs 80% of the price.').waitFor();
    if (look.javaScriptEnabled !== false) await accessible(page, `a trip with cancellation terms ${JSON.stringify(look)}`);
    await page.done();
  }
  // The line of the price is true of the date that is chosen.
  const price = async (days) => (await fetch(`${BASE}/book/${trip.slug}/price`, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: BASE }, body: `date=${ahead(days)}&travelers=1` })).text();
  assert.match(await price(60), /Free cancellation until /);
  assert.doesNotMatch(await price(20), /Free cancellation|Cancelling is free/);
}

export async function a_guest_cancels_by_the_terms() {
  const trip = await given_trip('River that a guest cancels', { cancellation_terms: three_rows, cancellation_policy: 'Write to us in time.' });
  const free = await booked(trip, 60, 'Dorothea');
  const mail = await html_of('booking_confirmation', free.email);
  assert.match(mail, /Cancelling is free until /);
  assert.match(mail, /Write to us in time\./);
  // What the trip says later is not what was agreed to.
  await staff('PUT', `/trips/${trip.id}`, { cancellation_terms: [{ days: null, percentage: 100 }] });
  const page = await opened(null, phone);
  await page.goto(await link_of('booking_confirmation', free.email));
  await page.locator('#cancelling').getByText(/Cancelling is free until /).waitFor();
  await page.getByText('Cancel this booking').click();
  await says(page, 'Cancelling today is free.');
  await says(page, 'You have paid nothing, so nothing is paid back.');
  await accessible(page, 'a booking that can be cancelled by its terms');
  await page.locator('#sure').check();
  await page.getByRole('button', { name: 'Cancel the booking' }).click();
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
  await page.done();
  await staff('PUT', `/trips/${trip.id}`, { cancellation_terms: three_rows });
  const paid = await booked(trip, 20, 'Philippa');
  await staff('POST', `/bookings/${paid.id}/payments`, { amount: 800, gateway: 'cash', status: 'completed' });
  const guest = await opened(null);
  await guest.goto(await link_of('booking_confirmation', paid.email));
  await guest.getByText('Cancel this booking').click();
  await says(guest, 'Cancelling today costs USD 50.00 of USD 800.00.');
  await says(guest, 'You have paid USD 800.00, so USD 750.00 would be returned.');
  await guest.locator('#sure').check();
  await guest.getByRole('button', { name: 'Cancel the booking' }).click();
  await says(guest, 'By the terms of your booking, cancelling on that day cost USD 50.00 of USD 800.00.');
  await guest.done();
  const told = await html_of('booking_cancelled', paid.email);
  assert.match(told, /USD 50\.00/);
  assert.match(told, /Our staff look at your cancellation and decide on the refund\./);
  // Staff see what was agreed to, and the refund is proposed.
  const desk = await opened('administrator');
  await go(desk, `/admin/bookings/${paid.id}`);
  await says(desk, 'Cancellation terms agreed to');
  await says(desk, 'Write to us in time.');
  await accessible(desk, 'a booking with cancellation terms');
  await desk.getByRole('button', { name: /^Refund/ }).first().click();
  await says(desk, 'By the terms that the customer agreed to, the cancellation cost');
  assert.equal(await desk.getByRole('dialog').getByLabel('Amount in USD').inputValue(), '750');
  await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  await desk.done();
}
