// Landing pages: staff build one of blocks, preview and publish it; visitors read it, also in place of a destination's.
import assert from 'node:assert/strict';

import { BASE, accessible, go, opened, refuses, settled, staff } from '../support.mjs';

export async function landing_pages() {
  const trip = await staff('POST', '/trips', { title: 'Dunes by camel', summary: 'Sand.', regular_price: 90, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const place = await staff('POST', '/destinations', { name: 'Landinia', status: 'publish' });
  const page = await opened('administrator');
  await go(page, '/admin/landing-pages');
  await page.getByText('No landing page yet.').waitFor();
  await accessible(page, 'no landing pages');
  await page.getByRole('button', { name: 'New landing page' }).first().click();
  await page.getByText('The page is empty.').waitFor();
  await page.getByLabel(/^Title(?! in)/).fill('Desert in winter');
  const add = async (kind) => {
    await page.getByRole('button', { name: 'Add a block' }).click();
    await page.getByRole('menuitem', { name: kind }).click();
  };
  await add('Text');
  await add('List of trips');
  await add('Questions and answers');
  await add('Opening with picture'); // comes first, wherever it is added
  const block = (called) => page.getByRole('group', { name: called });
  await block('Block 1: Opening with picture').getByLabel('Heading').fill('Warm sand');
  await block('Block 1: Opening with picture').getByLabel('Words on the button').fill('All trips');
  await block('Block 2: Text').locator('[contenteditable]').fill('Five weeks of sun.');
  const trips = block('Block 3: List of trips');
  await trips.getByLabel('Which trips').selectOption('chosen');
  await trips.getByRole('combobox').last().fill('Dunes by camel');
  await page.getByRole('option', { name: /Dunes by camel/ }).click();
  const questions = block('Block 4: Questions and answers');
  await questions.getByRole('button', { name: 'Add a question' }).click();
  await questions.getByRole('textbox', { name: /^Question 1/ }).fill('Is it hot?');
  await accessible(page, 'a landing page');
  await refuses(page, 400);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await block('Block 1: Opening with picture').getByText('A button needs its words and its address.').waitFor();
  await questions.getByText('Enter both, or remove the row.').waitFor();
  await block('Block 1: Opening with picture').getByLabel('Address that it opens').fill('/trip');
  await questions.getByRole('textbox', { name: /^Answer 1/ }).fill('<p>Not in winter.</p>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The page is saved.').waitFor();
  await page.getByText('A draft: visitors do not see it yet.').waitFor();
  const [stored] = await staff('GET', '/landing-pages?search=Desert');
  assert.deepEqual(stored.blocks.map((one) => one.type), ['hero', 'text', 'trips', 'questions']);
  assert.equal(stored.path, '/discover/desert-in-winter');

  // Staff see the draft, nobody else does.
  const preview = await page.getByRole('link', { name: 'Preview' }).getAttribute('href');
  const seen = await page.context().newPage();
  await seen.goto(`${BASE}${preview}`);
  await seen.getByText('This is a preview.').waitFor();
  await seen.close();
  assert.equal((await fetch(`${BASE}${preview}`)).status, 404);

  // It replaces the destination's page once it is published.
  await page.getByLabel('Replaces').selectOption('destination');
  await page.getByRole('combobox', { name: /^Which one/ }).fill('Landinia');
  await page.getByRole('option', { name: /Landinia/ }).click();
  await page.getByLabel('State').selectOption('publish');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Visitors see it at /discover/desert-in-winter.').waitFor();
  const visitor = await opened(null);
  await visitor.goto(`${BASE}/destination/${place.slug}`);
  await visitor.getByRole('heading', { level: 1, name: 'Warm sand' }).waitFor();
  assert.ok(visitor.url().endsWith('/discover/desert-in-winter'));
  await visitor.getByText('Five weeks of sun.').waitFor();
  const kept = await fetch(`${BASE}${stored.path}`);
  assert.equal(kept.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
  const again = await fetch(`${BASE}${stored.path}`, { headers: { 'If-None-Match': kept.headers.get('etag') } });
  assert.equal(again.status, 304);
  await visitor.getByRole('heading', { name: 'Dunes by camel' }).waitFor();
  await visitor.getByText('Is it hot?').click();
  await visitor.getByText('Not in winter.').waitFor();
  await accessible(visitor, 'a landing page for visitors');
  await visitor.setViewportSize({ width: 360, height: 740 });
  assert.ok(await visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await visitor.done();

  // Withdrawn from the list: the destination has its own page again.
  await go(page, '/admin/landing-pages');
  await settled(page);
  await page.getByRole('button', { name: 'Actions for Desert in winter' }).click();
  await page.getByRole('menuitem', { name: 'Withdraw it' }).click();
  await page.getByText('Visitors no longer see it.').waitFor();
  assert.equal((await fetch(`${BASE}/destination/${place.slug}`, { redirect: 'manual' })).status, 200);
  await page.getByRole('button', { name: 'Actions for Desert in winter' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No landing page yet.').waitFor();
  await page.done();
}
