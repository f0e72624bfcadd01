// A trip made from nothing: parts, pictures, itinerary, rules.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

export async function trip() {
  const page = await opened('administrator');
  await go(page, '/admin/trips/new');
  await page.getByLabel('Title').first().fill('Factory walk');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/\/admin\/trips\/\d+$/);
  const id = Number(page.url().split('/').pop());
  await settled(page);
  await page.getByText('needs a price').waitFor();
  await page.getByRole('link', { name: /^Prices/ }).click();
  await page.getByLabel('Price in USD', { exact: true }).fill('120');
  await page.getByRole('link', { name: /^Facts/ }).click();
  await page.getByLabel(/^Duration\*?$/).fill('3');
  await page.getByText(/^Changed: /).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/trips/${id}`)).regular_price, 120);
  await page.getByRole('link', { name: /^Itinerary/ }).click();
  for (const title of ['Up', 'Down']) {
    await page.getByRole('button', { name: 'Add a day' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill(title);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.svc-days').getByText(title, { exact: true }).waitFor();
  }
  await accessible(page, 'itinerary');
  await page.getByRole('button', { name: 'Day 2 earlier' }).press('Enter');
  await page.waitForFunction(() => /Day 1\s*Down/.test(document.querySelector('.svc-days')?.textContent ?? ''));
  await page.getByRole('link', { name: /^Dates/ }).click();
  await page.getByRole('button', { name: 'New rule' }).click();
  const rule = page.getByRole('dialog');
  await rule.getByText(/^\d+ dates?/).waitFor();
  await settled(page);
  // The preview's list follows each choice, and is on sale once the rule is saved.
  await rule.getByRole('button', { name: 'Wednesday' }).click(); // beside Saturday, which a new rule begins with
  const listed = rule.locator('ol.svc-columns li');
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('dialog ol.svc-columns li')].map((one) => one.textContent);
    return all.some((one) => /^Wed/.test(one)) && all.every((one) => /^(Sat|Wed)/.test(one));
  });
  const previewed = await listed.count();
  await accessible(page, 'a rule');
  await rule.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The rule is saved.').waitFor();
  const made = (await staff('GET', `/availability/generated?trip_id=${id}`)).map((one) => new Date(`${one.departure_date ?? one.date}T00:00:00Z`).getUTCDay());
  assert(previewed > 3 && made.length > 3 && made.every((one) => one === 6 || one === 3), `${previewed} ${made}`);
  // A file for those who have booked, chosen from the library.
  const [file] = await staff('GET', '/media?per_page=1');
  await page.getByRole('link', { name: /^Files/ }).click();
  await page.locator('main fieldset').getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('main fieldset').getByLabel(/^Title/).fill('What to pack');
  await page.locator('main fieldset').getByLabel(/^Attachment/).fill(file.original_name ?? file.title);
  await page.getByRole('option').first().click();
  await accessible(page, 'files of a trip', { contrast: false });
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const [kept] = await staff('GET', `/trips/${id}/downloads`);
  assert.deepEqual([kept.title, typeof kept.attachment_id], ['What to pack', 'number']);
  await settled(page);
  await page.locator('main fieldset').getByLabel(/^Title/).fill('What to bring');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  assert.deepEqual((await staff('GET', `/trips/${id}/downloads`)).map((one) => [one.id, one.title]), [[kept.id, 'What to bring']]);
  // The times of each day, and the season.
  await page.getByRole('link', { name: /^Facts/ }).click();
  await page.getByLabel(/^Landmarks/).fill('The old mill');
  await page.getByLabel(/^Landmarks/).blur();
  await page.getByRole('link', { name: /^Dates/ }).click();
  await page.getByLabel(/^Seasonal enable date/).fill('2027-04-01');
  await page.getByLabel(/^Seasonal disable date/).fill('2027-10-31');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const seasoned = await staff('GET', `/trips/${id}`);
  assert.deepEqual(seasoned.landmarks, ['The old mill']);
  assert.match(`${seasoned.seasonal_enable_date} ${seasoned.seasonal_disable_date}`, /04-01 .*10-31/);
  // Leaving with changes asks first.
  await page.getByRole('link', { name: /^Texts/ }).click();
  await page.getByLabel('Summary').fill('A walk');
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.message();
    void dialog.dismiss();
  });
  await page.locator('.svc-rail').getByRole('link', { name: 'Destinations' }).click();
  assert.match(asked, /not saved/);
  assert.match(page.url(), /trips/);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByText('Saved.').first().waitFor();
  refuses(page);
  await page.done();
}
