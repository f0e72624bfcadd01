// The rest of a clerk's work: pictures, an order changed by dragging, reviews, a manifest on paper, a departure that does
// not take place, a departing customer's page, everything that the interface can do.
import assert from 'node:assert/strict';

import { accessible, called, document_, go, opened, refuses, settled, staff, templates } from '../support.mjs';

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

export async function pictures() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Gallery walk', regular_price: 40, duration: 2 });
  await go(page, `/admin/trips/${trip.id}/pictures`);
  await page.getByRole('button', { name: 'Add pictures' }).click();
  const dialog = page.getByRole('dialog');
  for (const name of ['one.png', 'two.png']) {
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: picture });
    await dialog.getByRole('button', { name: /^Use/, disabled: false }).waitFor();
    await settled(page);
  }
  await accessible(page, 'choosing pictures');
  await dialog.getByRole('button', { name: /^Use/ }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const stored = await staff('GET', `/trips/${trip.id}`);
  assert((stored.gallery_images ?? []).length >= 1, JSON.stringify(Object.entries(stored).filter(([name]) => /galler|image/.test(name))));
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.context().close();
}

export async function dragging() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Dragged walk', regular_price: 40, duration: 2 });
  await go(page, `/admin/trips/${trip.id}/itinerary`);
  await page.getByRole('button', { name: 'Add a day' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Up');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const title of ['First entry', 'Second entry']) {
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill(title);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(title, { exact: true }).waitFor();
  }
  const entries = page.locator('.svc-days [draggable=true]');
  await entries.nth(1).dragTo(entries.nth(0));
  await page.waitForFunction(() => /Second entry[\s\S]*First entry/.test(document.querySelector('.svc-days')?.textContent ?? ''));
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.context().close();
}

export async function moderation() {
  const page = await opened('administrator');
  const [trip] = await staff('GET', '/trips?search=lisbon');
  const review = await staff('POST', '/reviews', { trip_id: trip.id, rating: 4, content: 'Steep and lovely.', author_name: 'Ada', author_email: 'ada@example.org', status: 'pending' });
  await go(page, '/admin/reviews?status=pending');
  await page.getByRole('link', { name: /Ada/ }).first().click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('It is shown on the site.').first().waitFor();
  assert.equal((await staff('GET', `/reviews/${review.id}`)).status, 'approved');
  await accessible(page, 'a review');
  refuses(page);
  await page.context().close();
}

export async function departures() {
  const page = await opened('administrator');
  const [booking] = (await staff('GET', '/bookings?status=confirmed&order=asc&per_page=20')).filter((one) => !/lisbon/i.test(one.trip_title));
  await go(page, `/admin/departures/${booking.trip_id}/${booking.availability_id}`);
  await page.getByText(booking.reference).first().waitFor();
  // The manifest is one sheet of paper.
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.equal(paper.match(/\/Type\s*\/Page\b/g).length, 1);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Cancel the departure' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason, told to the travelers').fill('The bridge is closed.');
  const tell = dialog.getByLabel('Cancel its bookings and tell the customers');
  if (!(await tell.isChecked())) await tell.check();
  await accessible(page, 'cancelling a departure');
  await dialog.getByRole('button', { name: 'Cancel the departure' }).click();
  await page.getByText(/^Cancelled\. /).first().waitFor();
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).status, 'cancelled');
  const mails = (await staff('GET', `/bookings/${booking.id}/history`)).filter((one) => one.kind === 'email' && /cancel/i.test(`${one.actor} ${one.title}`));
  assert(mails.length > 0, 'its customer is told');
  refuses(page);
  await page.context().close();
}

// Every route that is not the caller's own affair is offered to whoever may use it.
export async function everything() {
  const page = await opened('administrator');
  await go(page, '/admin/everything');
  const offered = Object.values(document_.paths).flatMap((methods) => Object.entries(methods)).filter(([method, spec]) => ['get', 'post', 'put', 'delete'].includes(method) && !spec.deprecated && !spec['x-permission'].startsWith('the '));
  await page.getByText(`${offered.length} actions`).waitFor();
  await page.getByRole('searchbox').fill('sample catalogue is loaded');
  await page.getByRole('button', { name: /GET \/sample-data\/status/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog').getByText('Has data').or(page.getByRole('dialog').getByText('Data', { exact: true })).first().waitFor();
  await accessible(page, 'an action');
  assert(templates.length > 200 && called.size > 0);
  refuses(page);
  await page.context().close();
}
