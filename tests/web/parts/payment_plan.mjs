// The payment plan of a trip: set in its screen, refused at its fields, previewed, and paid by on the site.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, accessible, go, opened, refuses, settled, staff } from '../support.mjs';

async function given_trip(title) {
  const trip = await staff('POST', '/trips', { title, summary: 'By the river.', regular_price: 400, duration: 1, status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(80), max_capacity: 8 });
  return trip;
}

export async function payment_plan() {
  const trip = await given_trip('River in parts');
  const page = await opened('administrator');
  await go(page, `/admin/trips/${trip.id}/prices`);
  await page.getByRole('link', { name: 'Payment plan' }).click();
  await page.getByText('No plan of its own. Bookings of this trip are paid by the settings of the site.').waitFor();
  await settled(page);
  await accessible(page, 'no payment plan');
  await page.getByRole('button', { name: 'Set a plan' }).click();
  // The preview follows what is typed, before anything is saved.
  const preview = page.locator('.svc-section, section').filter({ hasText: 'What a booking of today pays' }).last();
  await preview.getByLabel('Departure').fill(ahead(80));
  await preview.getByText(/A booking of .*1,000.* today for .* pays:/).waitFor();
  await preview.getByText(/200/).waitFor();
  await page.getByLabel('Size of part 1').fill('10');
  await preview.getByText(/100/).first().waitFor();
  await preview.getByText(/900/).waitFor();
  await page.getByRole('button', { name: 'Add a part' }).click();
  await page.getByText('It follows once each part has its size and its day.').waitFor();
  await page.getByLabel('Unit of part 2').selectOption('amount');
  await page.getByLabel('Size of part 2').fill('50');
  await page.getByLabel('When part 2 is due').selectOption('after_booking');
  await page.getByLabel('Days of part 2').fill('7');
  await page.getByLabel('Days of part 3').fill('2000');
  await settled(page);
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await page.locator('li', { hasText: 'the rest' }).locator('.svc-error').waitFor();
  await accessible(page, 'a payment plan that is refused');
  await page.getByLabel('Days of part 3').fill('30');
  await preview.getByText(/850/).waitFor();
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await page.getByText('The payment plan is saved.').waitFor();
  await settled(page);
  await accessible(page, 'a payment plan');
  const stored = await staff('GET', `/trips/${trip.id}/payment-plan`);
  assert.deepEqual([stored.kind, stored.is_used, stored.parts.map((one) => one.percentage ?? one.amount), stored.parts.map((one) => one.days)], ['fixed', true, [10, 50, null], [null, 7, 30]]);
  // A visitor sees it before booking, and there is no other way to pay.
  const visitor = await opened(null);
  const session = await visitor.request.post(`${BASE}/svc/v1/booking/session`, { data: { trip_id: trip.id, travel_date: ahead(80), travelers_count: 1 } });
  const methods = (await session.json()).data.quote.payment_methods;
  assert.deepEqual(methods.map((one) => [one.id, one.amount, one.balance]), [['deposit', 40, 360]]);
  await visitor.done();
  // A part is taken out again; who edits nothing cannot save.
  await page.getByRole('button', { name: 'Remove part 2' }).click();
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await page.getByRole('button', { name: 'Save the plan', disabled: true }).waitFor();
  assert.deepEqual((await staff('GET', `/trips/${trip.id}/payment-plan`)).parts.map((one) => one.percentage), [10, 90]);
  await page.getByRole('button', { name: 'Remove the plan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Set a plan' }).waitFor();
  assert.equal((await staff('GET', `/trips/${trip.id}/payment-plan`)).kind, null);
  refuses(page, 400);
  await page.done();
}

export async function payment_plan_on_a_phone() {
  const trip = await given_trip('River on a phone');
  await staff('PUT', `/trips/${trip.id}/payment-plan`, { kind: 'flexible', parts: [{ percentage: 20, due: 'booking' }, { amount: 55.5, due: 'after_booking', days: 14 }, { due: 'before_departure', days: 30 }] });
  const page = await opened('administrator', { viewport: { width: 360, height: 740 } });
  await go(page, `/admin/trips/${trip.id}/payment-plan`);
  await page.getByText(/A booking of .*1,000/).waitFor();
  await settled(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than a phone');
  await accessible(page, 'a payment plan on a phone');
  await page.done();
  // Who may not change it reads it.
  const guide = await opened('guide');
  await go(guide, `/admin/trips/${trip.id}/payment-plan`);
  await guide.getByLabel('Size of part 2').waitFor();
  assert(await guide.getByLabel('Size of part 2').isDisabled());
  for (const name of ['Save the plan', 'Add a part', 'Remove the plan']) assert.equal(await guide.getByRole('button', { name }).count(), 0);
  await guide.done();
}
