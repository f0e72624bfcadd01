// A trip's description that the editor cannot hold, such as a table, opened in it and lost its table on saving.
import assert from 'node:assert/strict';

import { go, opened, refuses, staff } from '../support.mjs';

export async function html_is_kept() {
  const page = await opened('administrator');
  const [trip] = await staff('GET', '/trips?search=lisbon');
  const table = '<p>Prices</p><table><tbody><tr><td>Adult</td><td>90</td></tr></tbody></table>';
  const before = (await staff('GET', `/trips/${trip.id}`)).description;
  const stored = (await staff('PUT', `/trips/${trip.id}`, { description: table })).description;
  await go(page, `/admin/trips/${trip.id}`);
  const field = page.getByLabel('Description', { exact: true });
  await field.waitFor();
  if (/<table/.test(stored)) assert.match(await field.inputValue(), /<table/);
  await page.getByLabel('Summary').fill(`Kept as it is at ${Date.now()}`);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByText('Saved.').first().waitFor();
  assert.equal((await staff('GET', `/trips/${trip.id}`)).description, stored);
  await staff('PUT', `/trips/${trip.id}`, { description: before });
  refuses(page);
  await page.done();
}
