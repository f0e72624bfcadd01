// The rest of a clerk's work: pictures, an order changed by dragging, reviews, a manifest on paper, a departure that does
// not take place, a departing customer's page, everything that the interface can do.
import assert from 'node:assert/strict';

import { accessible, called, document_, go, opened, refuses, settled, staff, templates } from '../support.mjs';

// One pixel each, of two colours: the same bytes twice would be one file.
const pixels = ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC'].map((one) => Buffer.from(one, 'base64'));

export async function pictures() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Gallery walk', regular_price: 40, duration: 2 });
  await go(page, `/admin/trips/${trip.id}/pictures`);
  await page.getByRole('button', { name: 'Add pictures' }).click();
  const dialog = page.getByRole('dialog');
  for (const [at, buffer] of pixels.entries()) {
    await dialog.locator('input[type=file]').setInputFiles({ name: `${at + 1}.png`, mimeType: 'image/png', buffer });
    await dialog.getByRole('button', { name: at ? /^Use 2/ : /^Use this/, disabled: false }).waitFor();
    await settled(page);
  }
  await accessible(page, 'choosing pictures');
  await dialog.getByRole('button', { name: /^Use/ }).click();
  // In their order, changed by dragging and by keyboard, and stored so.
  for (const [at, text] of ['Gate', 'Summit'].entries()) {
    await page.getByLabel(`Description of picture ${at + 1}`).fill(text);
    await page.keyboard.press('Tab');
  }
  const order = () => page.locator('.svc-pictures input').evaluateAll((all) => all.map((one) => one.value).join());
  assert.equal(await order(), 'Gate,Summit');
  await page.locator('.svc-pictures li').nth(1).dragTo(page.locator('.svc-pictures li').nth(0));
  assert.equal(await order(), 'Summit,Gate');
  await page.getByRole('button', { name: 'Move picture 1 back' }).press('Enter');
  assert.equal(await order(), 'Gate,Summit');
  await page.getByRole('button', { name: 'Main picture: 2' }).press('Space');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const stored = (await staff('GET', `/trips/${trip.id}`)).gallery_images;
  assert.deepEqual(stored.map((one) => [one.alt_text, one.is_featured]), [['Gate', false], ['Summit', true]]);
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.done();
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
  // And back by keyboard; the order is the stored one.
  await page.getByRole('button', { name: 'First entry earlier' }).press('Enter');
  await page.waitForFunction(() => /First entry[\s\S]*Second entry/.test(document.querySelector('.svc-days')?.textContent ?? ''));
  const stored = (await staff('GET', `/itineraries?trip_id=${trip.id}`)).filter((one) => one.mode === 'activity').sort((a, b) => a.order - b.order);
  assert.deepEqual(stored.map((one) => one.title), ['First entry', 'Second entry']);
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.done();
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
  await page.done();
}

export async function departures() {
  const page = await opened('administrator');
  const [booking] = (await staff('GET', '/bookings?status=confirmed&order=asc&per_page=20')).filter((one) => !/lisbon/i.test(one.trip_title));
  await go(page, `/admin/departures/${booking.trip_id}/${booking.availability_id}`);
  await page.getByText(booking.reference).first().waitFor();
  // The manifest is one sheet of paper.
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.equal(paper.match(/\/Type\s*\/Page\b/g).length, 1);
  await page.evaluate(() => (window.print = () => document.body.setAttribute('data-printed', '')));
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.svc-rail', '.svc-top', '.svc-head .svc-actions']) assert(!(await page.locator(hidden).first().isVisible()), `${hidden} is printed`);
  assert((await page.locator('.svc-manifest tbody tr').count()) > 0);
  await page.emulateMedia({ media: null });
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
  const told = async () => (await staff('GET', `/bookings/${booking.id}/history`)).some((one) => one.kind === 'email' && /cancel/i.test(`${one.actor} ${one.title}`));
  for (let tries = 0; !(await told()) && tries < 600; tries += 1) await page.waitForTimeout(100); // mails follow the commit
  assert(await told(), 'its customer is told');
  refuses(page);
  await page.done();
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
  await page.done();
}
