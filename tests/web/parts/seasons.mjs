// Seasons of a trip: written in its Prices, refused at their fields, and what they cost on the site.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, accessible, go, opened, refuses, settled, staff } from '../support.mjs';

async function given_trip(title) {
  const categories = await staff('GET', '/traveler-categories?per_page=100');
  const [adult, child] = ['adult', 'child'].map((slug) => categories.find((one) => one.slug === slug).id);
  const price_types = [[adult, 400], [child, 250]].map(([category_id, regular_price]) => ({ category_id, regular_price }));
  return staff('POST', '/trips', { title, summary: 'By the sea.', pricing_type: 'traveler_based', price_types, duration: 1, status: 'publish' });
}

async function fill(dialog, from, to) {
  await dialog.getByLabel(/^First day/).fill(from);
  await dialog.getByLabel(/^Last day/).fill(to);
}

export async function seasons() {
  const trip = await given_trip('Coast in season');
  const page = await opened('administrator');
  await go(page, `/admin/trips/${trip.id}/prices`);
  await page.getByRole('link', { name: 'Seasons and prices' }).click();
  await page.getByText('No seasons. On all dates the trip’s own prices count.').waitFor();
  await accessible(page, 'no seasons');
  await page.getByRole('button', { name: 'New season' }).click();
  const dialog = page.getByRole('dialog');
  await fill(dialog, ahead(1), ahead(800)); // all days that a visitor can book
  await dialog.getByLabel('Price of Adult', { exact: true }).fill('480');
  await dialog.getByLabel('Price of Child', { exact: true }).fill('290');
  await dialog.getByLabel(/^Seats of each date/).fill('7');
  await dialog.getByLabel(/^Note for staff/).fill('Beaches are full');
  await accessible(page, 'a season');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The season is saved.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  const row = page.locator('.svc-table tbody tr', { hasText: 'Beaches are full' });
  assert.match(await row.innerText(), /Adult.*480[\s\S]*Child.*290/);
  await settled(page);
  await accessible(page, 'seasons');
  // A visitor sees the season's price in the calendar, and pays it.
  const visitor = await opened(null);
  await visitor.goto(`${BASE}/trip/${trip.slug}`);
  assert.match(await visitor.locator('.svc-grid [data-date][aria-selected] small').first().textContent(), /^480/);
  assert.match(await visitor.locator('main').innerText(), /From\s+USD 480/);
  await visitor.done();
  const [first] = await (await fetch(`${BASE}/svc/v1/trips/${trip.id}/available-dates`)).json().then((answer) => answer.data);
  assert.deepEqual([first.price, first.max_capacity], [480, 7]);
  // One that shares a day with it is refused at its first day; a price that is none at its category.
  await page.getByRole('button', { name: 'New season' }).click();
  await fill(dialog, ahead(150), ahead(900));
  await dialog.getByLabel('Price of Child', { exact: true }).fill('-5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('tr', { hasText: 'Child' }).locator('.svc-error').waitFor();
  await dialog.getByLabel('Price of Child', { exact: true }).fill('300');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('.svc-field', { hasText: 'First day' }).locator('.svc-error').waitFor();
  await accessible(page, 'a season that overlaps');
  await fill(dialog, ahead(801), ahead(900));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Changed, then removed.
  await row.getByRole('button').first().click();
  await dialog.getByLabel('Reduced price of Adult').fill('450');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual((await staff('GET', `/trips/${trip.id}`)).seasons.map((one) => one.price_types.map((price) => price.effective_price)), [[450, 290], [300]]);
  await row.getByRole('button', { name: /^Remove/ }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/trips/${trip.id}`)).seasons.length, 1);
  refuses(page, 400, 409);
  await page.done();
}

export async function seasons_on_a_phone() {
  const trip = await given_trip('Coast on a phone');
  const page = await opened('administrator', { viewport: { width: 390, height: 844 } });
  await go(page, `/admin/trips/${trip.id}/seasons`);
  await page.getByRole('button', { name: 'New season' }).click();
  const dialog = page.getByRole('dialog');
  await fill(dialog, ahead(10), ahead(20));
  await dialog.getByLabel('Price of Adult', { exact: true }).fill('480');
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert(await fits());
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/Adult.*480/).waitFor();
  await settled(page);
  assert(await fits());
  await accessible(page, 'seasons on a phone');
  await page.done();
}
