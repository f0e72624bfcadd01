// A clerk's day, by keyboard and mouse, with what the server stores after each step.
import assert from 'node:assert/strict';

import { accessible, api, go, opened, refuses, staff } from '../support.mjs';

export async function clerk() {
  const page = await opened('sales_agent');
  const trip = (await staff('GET', '/trips?search=lisbon'))[0];
  const dates = (await staff('GET', `/trips/${trip.id}/available-dates`)).filter((one) => one.available_capacity > 5);
  assert(dates.length > 2);
  await go(page, '/admin');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'New booking' }).waitFor();
  await page.getByLabel('First name').fill('Grete');
  await page.getByLabel('Last name').fill('Hermann');
  await page.getByLabel('E-mail').fill('grete@example.org');
  await page.getByLabel('Phone').fill('+49 421 555 0101');
  await page.getByLabel('Country').fill('DE');
  await page.getByLabel('Trip').fill('lisbon');
  await page.getByRole('option', { name: /Lisbon/ }).click();
  await page.getByLabel('Date').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'One Adult more' }).click();
  await page.getByRole('row', { name: /^Total/ }).getByText(/USD 90\.00/).waitFor();
  // With a deposit: what is due now is beside the price, and what was taken on the phone is recorded with the booking.
  await page.getByLabel('Pays').selectOption('deposit');
  await page.getByRole('row', { name: /^Due now/ }).getByText(/USD 18\.00/).waitFor();
  await page.getByLabel('Paid already').fill('18');
  await page.getByLabel('How', { exact: true }).selectOption('card');
  await page.getByLabel('Note for colleagues').fill('Called twice.');
  await accessible(page, 'new booking filled in');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.waitForURL(/\/admin\/bookings\/\d+$/);
  const id = Number(page.url().split('/').pop());
  let booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.customer_name, 'Grete Hermann');
  assert.equal(booking.total, 90);
  assert.equal(booking.internal_notes, 'Called twice.');
  assert.deepEqual([booking.payment_method, booking.amount_paid, booking.payment_status], ['deposit', 18, 'partial']);

  await page.getByRole('button', { name: 'Record a payment' }).click();
  await page.getByLabel('Amount in USD').fill('22');
  await page.getByRole('button', { name: /^Record USD/ }).click();
  await page.getByText('The payment is recorded.').waitFor();
  await page.locator('.svc-figures').getByText('USD 50.00').waitFor();

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move or change the party' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Date').selectOption({ index: 2 });
  await dialog.getByRole('button', { name: 'One Adult more' }).click();
  await dialog.getByRole('row', { name: /^Total/ }).getByText('USD 135.00').waitFor();
  await accessible(page, 'change a booking');
  await dialog.getByRole('button', { name: 'Save the change' }).click();
  await page.getByText('The booking is changed.').waitFor();
  booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.total, 135);
  assert.equal(booking.travelers_count, 3);

  // The rest comes in: all that is due is what the dialog offers.
  await page.getByRole('button', { name: 'Record a payment' }).click();
  await page.getByRole('button', { name: 'Record USD 95.00' }).click();
  await page.locator('.svc-figures').getByText('USD 0.00').waitFor();
  booking = await staff('GET', `/bookings/${id}`);
  assert.deepEqual([booking.payment_status, booking.amount_paid], ['paid', 135]);

  const confirm = page.getByRole('button', { name: 'Confirm', exact: true });
  if (await confirm.count()) {
    await confirm.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send an e-mail again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).first().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('.svc-timeline').getByText(/Payment USD 22/).waitFor();
  await accessible(page, 'a booking');

  // Travelers by name.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit travelers' }).click();
  await page.getByRole('dialog').getByLabel('First name').first().fill('Grete');
  await page.getByRole('dialog').getByLabel('Last name').first().fill('Hermann');
  await accessible(page, 'travelers');
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  refuses(page, 400);
  await page.done();

  // The manager refunds a part, reads the manifest, and answers what came in.
  const boss = await opened('administrator');
  await go(boss, `/admin/bookings/${id}`);
  await boss.getByRole('button', { name: /^Refund PAY/ }).first().click();
  await boss.getByLabel('Amount in USD').fill('15');
  await boss.getByLabel('Reason').fill('Goodwill');
  await boss.getByLabel('The money is returned by hand').check();
  await boss.getByRole('button', { name: 'Refund USD 15.00' }).click();
  await boss.getByText('The refund is on its way.').waitFor();
  booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.amount_paid, 120);
  await go(boss, `/admin/departures/${trip.id}/${booking.availability_id}`);
  await boss.getByRole('table').getByText('Grete Hermann').or(boss.getByRole('table').getByText(booking.reference)).first().waitFor();
  await accessible(boss, 'manifest');

  await fetch(`${api}/enquiries`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ customer_name: 'Emmy Noether', customer_email: 'emmy@example.org', message: 'Is the walk steep?', trip_id: trip.id }) });
  await go(boss, '/admin/enquiries');
  await boss.getByRole('link', { name: /Emmy Noether/ }).first().click();
  await boss.getByLabel('Your answer, sent by e-mail').fill('Uphill at first, with benches.');
  await accessible(boss, 'an enquiry');
  await boss.getByRole('button', { name: 'Send the answer' }).click();
  await boss.getByText('The answer is on its way.').waitFor();
  refuses(boss);
  await boss.done();
}
