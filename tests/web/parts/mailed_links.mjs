// Every link of an e-mail opens for whoever has the e-mail, in a browser that knows nothing of the customer.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, opened, sql, staff } from '../support.mjs';

const links_of = async (template, address) => (await fetch(`${process.env.MAILS}/links/${template}/${encodeURIComponent(address)}`)).json();

async function given_booking(name) {
  const trip = await staff('POST', '/trips', { title: `Walk of ${name}`, summary: 'By the sea.', regular_price: 90, duration: 1, status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(70), max_capacity: 8 });
  return staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(70), travelers_count: 1, contact_first_name: name, contact_last_name: 'Lovelace', contact_email: `${name.toLowerCase()}@example.org`, status: 'confirmed' });
}

// Each opens, none asks who is there, and one of them shows the booking.
async function open_all(template, booking, address) {
  const links = await links_of(template, address);
  assert(links.length >= 1, `${template} has no links`);
  let shown = 0;
  for (const link of links) {
    if (/^(mailto|tel):/.test(link)) continue;
    assert(link.startsWith(BASE), `${template}: ${link} leads elsewhere`);
    const stranger = await opened(null);
    const response = await stranger.goto(link);
    assert(response.status() < 400, `${template}: ${link} is answered ${response.status()}`);
    const heading = await stranger.locator('h1').first().innerText();
    assert(!/Please show that|not found|has ended|Sign in/i.test(heading), `${template}: ${link} shows "${heading}"`);
    if ((await stranger.locator('main').innerText()).includes(booking.reference)) shown += 1;
    await stranger.done();
  }
  assert(shown >= 1, `${template}: no link shows the booking`);
}

export async function links_of_added_services() {
  const booking = await given_booking('Aurelia');
  const service = await staff('POST', '/additional-services', { name: 'Guide for the day', price: 12, price_per: 'booking', status: 'publish' });
  await staff('POST', `/bookings/${booking.id}/services`, { selected_services: { [service.id]: 1 } });
  await open_all('booking_services_added', booking, 'aurelia@example.org');
}

export async function links_of_an_expiring_card() {
  const booking = await given_booking('Berenice');
  const [customer] = await staff('GET', '/customers?search=berenice@example.org');
  await staff('POST', `/scheduled-payments/outstanding/${booking.id}/send-link`, {});
  // The month before the charge is the card's last one.
  const charged = new Date(Date.now() + 20 * 86_400_000);
  const last = new Date(Date.UTC(charged.getUTCFullYear(), charged.getUTCMonth() - 1, 1));
  await sql(`INSERT INTO svc_saved_payment_methods (customer_id, gateway, gateway_method_id, brand, last4, exp_month, exp_year, created_at) VALUES (${customer.id}, 'stripe', 'pm_berenice', 'visa', '4242', ${last.getUTCMonth() + 1}, ${last.getUTCFullYear()}, 0)`);
  await sql(`UPDATE svc_scheduled_payments SET kind = 'charge', gateway = 'stripe', scheduled_date = '${ahead(20)}', saved_method_id = (SELECT MAX(id) FROM svc_saved_payment_methods WHERE gateway_method_id = 'pm_berenice') WHERE booking_id = ${booking.id}`);
  await staff('POST', '/tools/cron-run', { hook: 'svc_scheduled_payments_reminders' });
  await open_all('scheduled_payment_card_expiring', booking, 'berenice@example.org');
}
