// Every list there is, every screen of its own, and records as a factory makes them.
import assert from 'node:assert/strict';

import { BASE, accessible, go, lists, opened, refuses, settled, staff } from '../support.mjs';

// Every list, Pro's modules included: shown, sorted, filtered, searched, without a fault.
async function walk(paths) {
  const page = await opened('administrator');
  assert(lists.length > 15);
  for (const path of paths) {
    await go(page, `/admin${path}`);
    assert.equal(await page.locator('main .svc-failure').count(), 0, `${path} fails: ${await page.locator('main .svc-failure').allInnerTexts()}`);
    await accessible(page, path, { contrast: path === paths[0] }); // all lists have one style
    const sort = page.locator('.svc-table th button').first();
    if (await sort.count()) {
      await sort.click();
      await page.waitForURL(/orderby=/);
      await settled(page);
    }
    // Each choice that a filter offers narrows the list, kept in the address, and is taken off again.
    const filter = page.getByRole('button', { name: 'Filter', exact: true }).first();
    if (await filter.count()) {
      if ((await filter.getAttribute('aria-expanded')) !== 'true') await filter.click();
      const choice = page.locator('.svc-filters select').first();
      if (await choice.count()) {
        await choice.selectOption({ index: 1 });
        await page.locator('.svc-bar .svc-chip').waitFor();
        await settled(page);
        await page.locator('.svc-bar .svc-chip button').click();
        await page.locator('.svc-bar .svc-chip').waitFor({ state: 'detached' });
        await settled(page);
      }
    }
    const search = page.locator('input[data-search]');
    if (await search.count()) {
      await search.fill('zzqq');
      await page.waitForURL(/search=zzqq/);
      await page.getByText(/Nothing matches|Nothing here|Choose/).first().waitFor();
      await settled(page);
    }
  }
  refuses(page, 400); // lists that need a parameter say which
  await page.done();
}
// A list of more than a page: turned, kept in the address, and turned back.
export async function pages() {
  const page = await opened('administrator');
  await go(page, '/admin/departures?view=list');
  await page.getByText(/^1 to 25 of \d+$/).waitFor();
  const first = await page.locator('tbody a').first().getAttribute('href');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.waitForURL(/page=2/);
  await page.getByText(/^26 to \d+ of \d+$/).waitFor();
  assert.notEqual(await page.locator('tbody a').first().getAttribute('href'), first);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByText(/^1 to 25 of \d+$/).waitFor();
  assert.equal(await page.locator('tbody a').first().getAttribute('href'), first);
  refuses(page);
  await page.done();
}

export const lists_first = () => walk(lists.slice(0, lists.length / 2));
export const lists_second = () => walk(lists.slice(lists.length / 2));

export async function screens() {
  const page = await opened('administrator');
  for (const path of ['', '/departures?month=2027-01', '/departures?view=list', '/settings', '/settings?search=currency', '/modules', '/gateways', '/emails', '/booking-form', '/pages', '/self', '/everything', '/first-steps', '/bookings/new', '/trips/new', '/discounts/new', '/nothing-such']) {
    await go(page, `/admin${path}`);
    await accessible(page, path || 'today');
    await page.emulateMedia({ colorScheme: 'dark' });
    await accessible(page, `${path || 'today'} in the dark`, { only: ['color-contrast'] });
    await page.emulateMedia({ colorScheme: null });
  }
  refuses(page);
  await page.done();
}

// The least that a form needs, by its fields' names.
const samples = { '/discounts': { discount_mode: 'promo', type: 'percentage', amount: '10', code: 'FACTORY10' }, '/attributes': { type: 'text', field_type: 'text' }, '/customers': { email: 'factory@example.org', first_name: 'Fac', last_name: 'Tory' }, '/traveler-categories': {} };

async function made(paths) {
  const page = await opened('administrator');
  for (const path of paths) {
    const begins = path === '/items' ? `?type_id=${(await staff('GET', '/item-types?per_page=1'))[0].id}` : '';
    await go(page, `/admin${path}/new${begins}`);
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.locator('.svc-error').first().waitFor(); // the server's sentence, at its field
    await page.locator('[aria-invalid=true]').first().waitFor({ timeout: 20_000 }).catch(() => assert.fail(`${path}: no field is marked`));
    await accessible(page, `${path}/new refused`, { contrast: path === paths[0] });
    const name = page.getByLabel(/^(Name|Label|Title)\*?$/).first();
    if (await name.count()) await name.fill(`Factory ${path.slice(1)}`);
    for (const [field, value] of Object.entries(samples[path] ?? {})) {
      const label = new RegExp(`^${field.replace(/_id$/, '').replace(/_/g, ' ')}\\*?$`, 'i');
      const control = page.getByLabel(label).first();
      if (!(await control.count())) continue;
      if ((await control.evaluate((one) => one.tagName)) === 'SELECT') await control.selectOption(value, { timeout: 500 }).catch(() => undefined);
      else await control.fill(value);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.waitForURL(new RegExp(`${path}/\\d+$`)).catch(async () => {
      throw new Error(`${path}: ${await page.locator('.svc-error, .svc-notice').allInnerTexts()}`);
    });
    await settled(page);
    const id = page.url().split('/').pop();
    // A colleague saves first: both versions are shown, and mine is stored only on purpose.
    const area = page.getByLabel(/^(Description|Notes|City)/).first();
    const stored = await staff('GET', `${path}/${id}`);
    if (stored.row_version !== undefined && (await area.count())) {
      await staff('PUT', `${path}/${id}`, { [['description', 'notes'].find((one) => one in stored) ?? 'name']: 'theirs' });
      await area.fill('mine-after-all');
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: /Somebody else saved/ });
      await dialog.getByRole('table').waitFor();
      await accessible(page, `${path} conflict`, { contrast: path === paths[0] });
      await dialog.getByRole('button', { name: 'Save mine over it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await settled(page);
      assert.match(JSON.stringify(await staff('GET', `${path}/${id}`)), /mine-after-all/, `${path}: ${await page.locator('.svc-notice, .svc-error').allInnerTexts()}`);
    }
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Delete|Move to the trash/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Delete|Move/ }).click();
    await page.waitForURL(`${BASE}/admin${path}`);
    refuses(page, 400, 409);
  }
  await page.done();
}
export const records_first = () => made(['/destinations', '/activities', '/trip-categories', '/difficulty-levels', '/items']);
export const records_second = () => made(['/traveler-categories', '/item-types', '/attributes', '/customers', '/discounts']);
