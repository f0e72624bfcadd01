// Dynamic pricing: a rule is built in words and tried before it is saved, a trip's prices are a calendar, settings are kept.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function dynamic_pricing() {
  const trip = await staff('POST', '/trips', { title: 'Walk by demand', regular_price: 200, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  for (const days of [10, 40]) await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(days), max_capacity: 8 });
  const page = await opened('administrator', {});
  await go(page, '/admin/dynamic-pricing/rules');
  await page.getByText(/^No rules yet/).waitFor();
  await page.getByText('No rule was changed in the last seven days.').waitFor();
  await accessible(page, 'dynamic pricing without rules');
  await page.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New rule' });
  await dialog.getByText('10 % cheaper from 60 days before travel.').waitFor();
  await dialog.getByText('On all trips.').waitFor();
  await dialog.getByLabel(/^Name/).fill('Early birds');
  await dialog.getByLabel(/^Adjustment value/).fill('15');
  await dialog.getByLabel(/^Min days before/).fill('');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Enter from how many days before travel the price is lower.').first().waitFor();
  await dialog.getByLabel(/^Min days before/).fill('30');
  await dialog.getByText('15 % cheaper from 30 days before travel.').waitFor();
  await dialog.getByText(/85.*\(-15 %\)/).first().waitFor();
  await dialog.getByText('unchanged').first().waitFor();
  await dialog.getByRole('button', { name: 'Add a condition' }).click();
  await dialog.getByText('Only if days before travel at least 7.').waitFor();
  await accessible(page, 'a rule of dynamic pricing');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const [stored] = await staff('GET', '/dynamic-pricing/rules');
  assert.deepEqual([stored.name, stored.adjustment_value, stored.min_days_before, stored.status], ['Early birds', 15, 30, 'inactive']);
  assert.deepEqual(stored.conditions, { match: 'all', conditions: [{ field: 'days_before', operator: 'at_least', value: 7 }] });
  await page.getByRole('table').getByText(/15 % cheaper from 30 days/).waitFor();
  // For one trip alone: other parts book beside this one.
  await staff('PUT', `/dynamic-pricing/rules/${stored.id}`, { status: 'active', applicable_trips: 'specific', trip_ids: [trip.id] });
  // A booking says why its price is what it is.
  const booked = await staff('POST', '/bookings', {
    trip_id: trip.id, travel_date: ahead(40), travelers_count: 1,
    contact_first_name: 'Ella', contact_last_name: 'Early', contact_email: 'early@example.org',
  });
  await go(page, `/admin/bookings/${booked.id}`);
  const why = page.locator('section', { has: page.getByRole('heading', { name: 'Why this price' }) });
  await why.getByRole('row', { name: /Early birds.*−.*30/ }).waitFor();
  await why.getByRole('row', { name: /Price of one.*170/ }).waitFor();
  await accessible(page, 'a booking with the reasons of its price');
  await go(page, '/admin');
  await go(page, '/admin/dynamic-pricing/rules');
  // The calendar has a cell for each day on sale, in its colour and in digits.
  await page.getByLabel('Trip', { exact: true }).fill('Walk by demand');
  await page.getByRole('option', { name: /Walk by demand/ }).click();
  await page.getByText(/^From .*170.* to .*200/).waitFor();
  await page.getByRole('cell', { name: '170' }).first().waitFor();
  await accessible(page, 'the calendar of prices');
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of dynamic pricing' });
  await settings.getByLabel(/^Maximum discount percent/).fill('5');
  await settings.getByRole('button', { name: 'Save', exact: true }).click();
  await settings.waitFor({ state: 'detached' });
  await page.getByText(/^From .*190.* to .*200/).waitFor();
  await page.getByRole('button', { name: 'Actions for Early birds' }).click();
  await page.getByRole('menuitem', { name: 'Turn off' }).click();
  await page.getByText('The rule is off.').waitFor();
  await settled(page);
  assert.equal((await staff('GET', `/dynamic-pricing/rules/${stored.id}`)).status, 'inactive');
  await page.setViewportSize({ width: 360, height: 780 });
  await settled(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the screen is wider than a phone');
  refuses(page, 400); // a rule that lacks its days, tried and saved
  await page.done();
  await staff('DELETE', `/dynamic-pricing/rules/${stored.id}`);
}
