// Additional services: one is written in words with its limits, offered on a trip, added to a booking, counted.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function services() {
  const trip = await staff('POST', '/trips', { title: 'Walk with extras', regular_price: 200, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(20), max_capacity: 8 });
  const page = await opened('administrator', {});
  await go(page, '/admin/additional-services');
  await page.getByRole('button', { name: 'New service' }).click();
  const dialog = page.getByRole('dialog', { name: 'New service' });
  await dialog.getByLabel(/^Name/).fill('Snow shoes');
  await dialog.getByLabel(/^Price(?! type| per)/).fill('12');
  await dialog.getByLabel(/^Stock of each departure/).fill('3');
  await dialog.getByLabel(/^At most for each traveler/).fill('1');
  await dialog.getByLabel(/^Hours before the departure/).fill('48');
  await dialog.getByText(/12.* per person\./).waitFor();
  await dialog.getByText('3 on each departure.').waitFor();
  await dialog.getByText('Until 2 days before the departure.').waitFor();
  await accessible(page, 'an additional service');
  await dialog.getByRole('switch', { name: /^Required/ }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText(/Clear the stock/).first().waitFor();
  await dialog.getByRole('switch', { name: /^Required/ }).uncheck();
  await dialog.getByLabel(/^Applicable to/).selectOption('specific_trips');
  await dialog.getByRole('combobox', { name: 'Trip' }).fill('Walk with extras');
  await page.getByRole('option', { name: /Walk with extras/ }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const stored = (await staff('GET', '/additional-services?search=Snow+shoes'))[0];
  assert.deepEqual(
    [stored.price, stored.stock_per_departure, stored.max_per_traveler, stored.deadline_hours, stored.trip_ids, stored.status],
    [12, 3, 1, 48, [trip.id], 'draft'],
  );
  await page.getByRole('button', { name: 'Actions for Snow shoes' }).click();
  await page.getByRole('menuitem', { name: 'Offer it' }).click();
  await page.getByText('It is offered.').waitFor();
  await page.getByText('What was sold').waitFor();
  await page.getByText('What the next 30 days need').waitFor();
  await accessible(page, 'additional services');

  // On the trip it can be taken off and put back.
  await go(page, `/admin/trips/${trip.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Additional services' }).click();
  await page.getByText('Services of Walk with extras').waitFor();
  const tick = page.getByRole('checkbox', { name: /Snow shoes/ });
  await tick.uncheck();
  await page.getByRole('button', { name: 'Save the services' }).click();
  await page.getByText('The services of this trip are saved.').waitFor();
  assert.deepEqual((await staff('GET', `/additional-services/${stored.id}`)).trip_ids, []);
  await tick.check();
  await page.getByRole('button', { name: 'Save the services' }).click();
  await settled(page);
  assert.deepEqual((await staff('GET', `/additional-services/${stored.id}`)).trip_ids, [trip.id]);

  // A booking that is made gets it; its price stays as it was agreed.
  const booking = await staff('POST', '/bookings', {
    trip_id: trip.id,
    travel_date: ahead(20),
    travelers_count: 1,
    contact_first_name: 'Ada',
    contact_last_name: 'King',
    contact_email: 'ada.king@example.org',
    status: 'confirmed',
  });
  await go(page, `/admin/bookings/${booking.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Add services' }).click();
  const adds = page.getByRole('dialog', { name: 'Add services' });
  await adds.getByLabel('Snow shoes').fill('1');
  await adds.getByText(/Total .*212.* of it .* paid; .*212.* is due then\./).waitFor();
  await accessible(page, 'services for a booking');
  await adds.getByRole('button', { name: /^Add for/ }).click();
  await adds.waitFor({ state: 'detached' });
  await page.getByText(/is added to the booking/).waitFor();
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).total, 212);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Add services' }).click();
  await adds.getByLabel('Snow shoes').fill('1');
  await adds.getByText('No more of this service can be added.').first().waitFor();
  await adds.getByRole('button', { name: 'Back' }).click();

  await go(page, '/admin/additional-services');
  await page.getByText(/Snow shoes: 1 of 3/).waitFor();
  // One that nobody bought goes to the trash; its address opens it.
  const spare = await staff('POST', '/additional-services', { name: 'Spare rope', price: 3, max_quantity: 2 });
  await go(page, '/admin');
  await go(page, `/admin/additional-services/${spare.id}`);
  await page.getByRole('dialog', { name: 'Change the service' }).getByText('At most 2 in a booking.').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Actions for Spare rope' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/additional-services/${spare.id}`)).status, 'trash');
  await page.setViewportSize({ width: 360, height: 780 });
  await settled(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the screen is wider than a phone');
  refuses(page, 400); // a stock of a required service; more than its limit
  await page.done();
}
