// Data for pictures, where the samples have none: a waiting list with free seats and without, payments that are planned,
// overdue, failed and paid, enquiries, reviews, discounts, items, services, possible duplicates.
import assert from 'node:assert/strict';

import { api, sql, staff } from './support.mjs';

export const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function visitor(path, body) {
  const answer = await fetch(api + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  assert(answer.ok, `${path}: ${await answer.clone().text()}`);
  return (await answer.json()).data;
}
const contact = (first, last) => ({ contact_first_name: first, contact_last_name: last, contact_email: `${first}.${last}@example.org`.toLowerCase(), contact_country: 'DE', contact_phone: '+49 421 555 0101' });

// Joins the waiting list of a departure as a visitor does.
export async function join(trip_id, travel_date, first, last, travelers_count) {
  const { session_id } = await visitor('/booking/session', { trip_id });
  const travelers = Array.from({ length: travelers_count }, () => ({ first_name: first, last_name: last, email: contact(first, last).contact_email, phone: '+49 421 555 0101', date_of_birth: '1982-03-23', nationality: 'DE', gender: 'female' }));
  const made = await visitor('/booking/create', { session_id, trip_id, travel_date, travelers_count, ...contact(first, last), emergency_name: `Max ${last}`, emergency_phone: '+49 421 555 0102', travelers, join_waitlist: true, payment_method: 'full', payment_gateway: 'pay_later' });
  return { id: made.booking_id };
}

async function sold(title, regular_price, departures) {
  const trip = await staff('POST', '/trips', { title, summary: 'A day out.', regular_price, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  for (const one of departures) await staff('POST', `/trips/${trip.id}/departures`, one);
  return trip;
}
const book = (trip, travel_date, first, last, travelers_count) => staff('POST', '/bookings', { trip_id: trip.id, travel_date, travelers_count, ...contact(first, last), status: 'confirmed' });

export async function filled() {
  await staff('PUT', '/settings', { allow_waitlist: true });
  const ferry = await sold('Mail boat to the outer islands', 120, [{ start_date: ahead(12), start_time: '07:30', max_capacity: 6 }, { start_date: ahead(40), max_capacity: 4 }]);
  await book(ferry, ahead(12), 'Sofia', 'Kovalevskaya', 6);
  await book(ferry, ahead(40), 'Hedwig', 'Bollhagen', 4);
  for (const [first, last, party] of [['Emmy', 'Noether', 2], ['Wilhelmina', 'Featherstonehaugh-Cholmondeley', 1], ['Ida', 'Rhodes', 5]]) await join(ferry.id, ahead(12), first, last, party);
  for (const [first, last, party] of [['Otto', 'Hahn', 2], ['Lise', 'Meitner', 3]]) await join(ferry.id, ahead(40), first, last, party);
  await sql(`UPDATE svc_waitlist SET joined_at = joined_at - 90000000000`);
  // A seat more is too little for the first, whom the server does not pass over.
  const [full] = await staff('GET', `/trips/${ferry.id}/departures`);
  await staff('PUT', `/trips/${ferry.id}/departures/${full.id}`, { max_capacity: 7, row_version: full.row_version });

  const walk = await sold('Walk on credit', 80, [{ start_date: ahead(50), max_capacity: 20 }]);
  const planned = [
    ['Martha', 'Somerville', "status = 'scheduled'"],
    ['Greig', 'Somerville', `status = 'scheduled', kind = 'charge', scheduled_date = '${ahead(-3)}'`],
    ['Ada', 'King', "status = 'failed', attempts = 3, last_error = 'The card has expired.'"],
    ['Charles', 'Babbage', `status = 'failed', kind = 'charge', attempts = 1, last_error = 'The bank declined the charge.', next_attempt_at = ${(Date.now() + 86_400_000) * 1000}`],
    ['Mary', 'Cartwright', "status = 'processing'"],
    ['Kurt', 'Mahler', `status = 'paid', scheduled_date = '${ahead(-9)}'`],
    ['Grace', 'Chisholm', "status = 'cancelled'"],
  ];
  for (const [first, last, set] of planned) {
    const { id } = await book(walk, ahead(50), first, last, 1);
    await staff('POST', `/scheduled-payments/outstanding/${id}/send-link`, {});
    await sql(`UPDATE svc_scheduled_payments SET ${set} WHERE booking_id = ${id}`);
  }

  for (const [name, message] of [['Emmy Noether', 'Is the boat covered? We are two, one of us gets cold.'], ['Karl Weierstraß', 'Do you take dogs?\nOurs is small.'], ['Maria Gaetana Agnesi', 'Can we pay in two parts, the second after the summer?']])
    await visitor('/enquiries', { customer_name: name, customer_email: `${name.split(' ')[0].toLowerCase()}@example.org`, message, trip_id: ferry.id });
  for (const [author_name, rating, title, content, status] of [['Ada King', 5, 'The light', 'We left in the dark and came back in gold.', 'approved'], ['Charles Babbage', 3, 'Noisy', 'The engine is loud. The islands are not.', 'pending'], ['Kurt Mahler', 1, 'Rain', 'It rained.', 'pending']])
    await staff('POST', '/reviews', { trip_id: ferry.id, author_name, author_email: 'reader@example.org', rating, title, content, status });
  await staff('POST', '/discounts', { name: 'Early spring', code: 'SPRING15', type: 'percentage', amount: 15, max_discount_amount: 60, valid_from: ahead(-10), expiry_date: ahead(60), usage_limit: 50, status: 'publish' });
  await staff('POST', '/discounts', { name: 'For the club', code: 'CLUB10', type: 'fixed', amount: 10, status: 'publish', expiry_date: ahead(1) });
  const [type] = await staff('GET', '/item-types?per_page=1');
  await staff('POST', '/items', { name: 'Ferry, second class', type_id: type.id, default_cost: 12 });
  await staff('POST', '/additional-services', { name: 'Packed lunch', price: 14, price_per: 'person', status: 'publish' });
  for (const first of ['Sonya', 'Sofia']) await staff('POST', '/customers', { first_name: first, last_name: 'Kovalevskaya', email: `${first}@example.org`.toLowerCase(), phone: '+46 8 555 0777' });
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const { row_version } = await staff('GET', `/trips/${booking.trip_id}`);
  await staff('PUT', `/trips/${booking.trip_id}`, { row_version, seasons: [{ from: ahead(30), to: ahead(60), regular_price: 150, sale_price: 130, seats: 8, note: 'Ice on the outer islands' }, { from: ahead(61), to: ahead(120), regular_price: 190 }] });
  await staff('PUT', `/trips/${booking.trip_id}/payment-plan`, { kind: 'flexible', parts: [{ percentage: 20, due: 'booking' }, { amount: 50, due: 'after_booking', days: 14 }, { percentage: 30, due: 'date', date: ahead(45) }, { due: 'before_departure', days: 30 }] });
  await staff('POST', '/tools/export', { data_types: ['settings'] });
}
