// Classifications as trees: what lies below what, a new one below another, and the list beside it.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

export async function trees() {
  const page = await opened('administrator');
  const parent = await staff('POST', '/destinations', { name: 'Upper hills', status: 'publish' });
  const child = await staff('POST', '/destinations', { name: 'Lower hill', status: 'draft', parent_id: parent.id });
  await go(page, '/admin/destinations');
  const branch = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^Upper hills/ }) });
  await branch.getByRole('list').getByRole('link', { name: /^Lower hill.*Draft/ }).waitFor();
  await accessible(page, 'destinations as a tree');
  await page.getByRole('link', { name: 'New below Lower hill' }).click();
  await page.getByLabel(/^Name\*?$/).first().fill('Foot of the hill');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/destinations\/\d+$/);
  const id = Number(page.url().split('/').pop());
  assert.equal((await staff('GET', `/destinations/${id}`)).parent_id, child.id);
  await go(page, '/admin/destinations');
  await branch.getByRole('list').getByRole('list').getByRole('link', { name: /^Foot of the hill/ }).waitFor();
  // Opened and left without a word typed: nothing is lost, nobody is asked.
  await page.getByRole('link', { name: 'New below Upper hills' }).click();
  await page.getByRole('heading', { name: 'New destination' }).waitFor();
  await page.locator('.svc-rail').getByRole('link', { name: 'Activities' }).click();
  await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor();
  await go(page, '/admin/destinations');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page.getByRole('table').getByText('Foot of the hill').waitFor();
  await settled(page);
  for (const one of [id, child.id, parent.id]) await staff('DELETE', `/destinations/${one}`);
  refuses(page);
  await page.done();
}
