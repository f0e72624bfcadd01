// The answers of a trip's questions stood as HTML in a text field, as did descriptions of days and of destinations.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, staff } from '../support.mjs';

export async function answers_are_rich() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Asked walk', regular_price: 40, duration: 2, faqs: [{ question: 'Which shoes?', answer: '<p>Bring <strong>boots</strong>.</p>' }] });
  await staff('POST', '/itineraries', { trip_id: trip.id, mode: 'day', day: 1, day_title: 'Up', day_description: '<p>Steep <em>stairs</em>.</p>' });
  await go(page, `/admin/trips/${trip.id}/texts`);
  const answer = page.getByRole('textbox', { name: 'Answer 1' });
  await answer.locator('strong').getByText('boots').waitFor();
  for (const field of await page.locator('main textarea, main input').all()) assert.doesNotMatch(await field.inputValue(), /<p>/);
  await answer.press('Control+End');
  await answer.pressSequentially(' And socks.');
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByRole('textbox', { name: 'Question 2' }).fill('How far?');
  await page.getByRole('textbox', { name: 'Answer 2' }).fill('Nine miles.');
  await page.getByRole('button', { name: 'Question 2 earlier' }).press('Enter');
  await page.getByRole('textbox', { name: 'Answer 2' }).getByText('boots').waitFor();
  await accessible(page, 'questions and answers');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const stored = (await staff('GET', `/trips/${trip.id}`)).faqs;
  assert.deepEqual(stored.map((one) => [one.question, one.answer]), [['How far?', '<p>Nine miles.</p>'], ['Which shoes?', '<p>Bring <strong>boots</strong>. And socks.</p>']]);
  await page.getByRole('link', { name: /^Itinerary/ }).click();
  await page.getByRole('button', { name: 'Edit day 1' }).click();
  await page.getByRole('dialog').locator('.ProseMirror em').getByText('stairs').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  const [destination] = await staff('GET', '/destinations?per_page=1');
  await go(page, `/admin/destinations/${destination.id}`);
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor();
  for (const field of await page.locator('main textarea').all()) assert.doesNotMatch(await field.inputValue(), /<p>/);
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.done();
}
