// A new record begins with what its address says, of the record's own fields only: every object has a `constructor`, too.
import assert from 'node:assert/strict';

import { go, opened, refuses, staff } from '../support.mjs';

// What was made is read and shown; only then can the test remove it.
const read_again = (page, above) => page.waitForResponse((one) => one.request().method() === 'GET' && /\/destinations\/\d+$/.test(one.url()) && !one.url().endsWith(`/${above.id}`));

export async function begun() {
  const page = await opened('administrator');
  const [above] = await staff('GET', '/destinations?per_page=1');
  await go(page, `/admin/destinations/new?parent_id=${above.id}&constructor=1&toString=2`);
  await page.getByLabel(/^Name\*?$/).first().fill('Below another');
  const [read, sent] = [read_again(page, above), page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/destinations'))];
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  assert.deepEqual((await sent).postDataJSON(), { parent_id: above.id, name: 'Below another' });
  await read;
  await page.waitForURL(/destinations\/\d+$/);
  await staff('DELETE', `/destinations/${page.url().split('/').pop()}`);
  // Another address begins another record.
  await go(page, `/admin/destinations/new?parent_id=${above.id}`);
  await go(page, '/admin/destinations/new');
  await page.getByLabel(/^Name\*?$/).first().fill('At the top');
  const [read_second, second] = [read_again(page, above), page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/destinations'))];
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  assert.deepEqual((await second).postDataJSON(), { name: 'At the top' });
  await read_second;
  await page.waitForURL(/destinations\/\d+$/);
  await staff('DELETE', `/destinations/${page.url().split('/').pop()}`);
  for (const address of ['/admin/constructor', '/admin/toString/7']) {
    await go(page, address);
    await page.getByText(/There is no such/).waitFor();
  }
  refuses(page);
  await page.done();
}
