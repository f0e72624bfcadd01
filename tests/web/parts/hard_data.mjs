// No screen breaks on what is null, or on very long lists.
import assert from 'node:assert/strict';

import { changed, paths } from '../changed.mjs';
import { accessible, document_, go, lists, opened, staff } from '../support.mjs';

async function unbroken(page, all) {
  const broken = [];
  for (const path of all) {
    await go(page, `/admin${path}`);
    const said = await page.locator('main .svc-failure').allInnerTexts();
    if (said.some((one) => /This screen broke/.test(one))) broken.push(`${path}: ${said}`);
  }
  assert.deepEqual(broken, []);
}

export async function nulls() {
  const all = await paths();
  const page = await opened('administrator', { script: [changed, { document_, kind: 'nulls' }] });
  const [seen] = await page.evaluate(async () => (await (await fetch('/svc/v1/bookings?per_page=1', { headers: { 'X-Host-Nonce': localStorage.getItem('svc-nonce') } })).json()).data);
  const empty = (row) => Object.values(row).filter((one) => one === null).length;
  assert(empty(seen) > empty((await staff('GET', `/bookings?search=${seen.reference}`))[0]), 'the test makes nulls');
  await unbroken(page, [...all, ...lists]);
  await page.done();
}

// Lists that come whole have 10,000 entries; those in pages tell as many.
export async function ten_thousand() {
  const all = (await paths()).filter((path) => !/^\/(settings|modules|emails|gateways|booking-form|bookings\/new)/.test(path));
  const page = await opened('administrator', { script: [changed, { document_: { paths: {} }, kind: 'many', most: 10_000 }] });
  page.setDefaultTimeout(120_000);
  await unbroken(page, [...all, ...lists]);
  await go(page, '/admin/bookings');
  await page.getByText(/^1 to 25 of 10,000$/).waitFor();
  await page.done();
}

// Without a row each screen says so; where nothing answers it says what failed and offers to try again.
const states = ['', '/bookings', '/waitlist', '/departures?view=month', '/departures?view=list', '/trips', '/payments', '/customers', '/customers/duplicates', '/enquiries', '/reviews', '/destinations', '/discounts', '/media', '/attributes', '/attributes?view=order', '/scheduled-payments', '/scheduled-payments/outstanding', '/tools', '/pages'];
async function in_state(kind, check) {
  const page = await opened('administrator', { script: [changed, { document_: { paths: {} }, kind }] });
  for (const path of states) {
    await go(page, `/admin${path}`);
    await check(page, path);
    await accessible(page, `${path || 'today'}: ${kind}`, { contrast: false });
  }
  await page.done();
}
export const empty_screens = () => in_state('empty', async (page, path) => {
  // Another view of a list that is shown is read after its heading.
  await page.locator('main .svc-empty, main .svc-failure').first().waitFor({ timeout: 20_000 }).catch(() => assert.fail(`${path || 'today'} says nothing when it is empty`));
  assert.equal(await page.locator('main .svc-failure').count(), 0, path);
});
export const failing_screens = () => in_state('fails', async (page, path) => {
  await page.locator('main').getByText('Broken for the test.').first().waitFor();
  assert((await page.locator('main').getByRole('button', { name: 'Try again' }).count()) > 0, `${path || 'today'} does not offer to try again`);
});
// A screen whose data are on their way names what it waits for.
export async function loading_screens() {
  const page = await opened('administrator', {});
  await page.evaluate(changed, { document_: { paths: {} }, kind: 'waits' });
  for (const path of ['/bookings', '/trips', '/attributes?view=order']) {
    await page.evaluate((url) => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/admin${path}`);
    await page.getByRole('progressbar', { name: 'Loading' }).first().waitFor();
    await accessible(page, `${path}: waits`, { contrast: false });
  }
  await page.close();
}

// A screen that cannot be opened: a heading, the reason, a link to its list, and a retry, which opens it once it can be.
export async function failing_records() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const [customer] = await staff('GET', '/customers?per_page=1');
  const [destination] = await staff('GET', '/destinations?per_page=1');
  const records = [`/bookings/${booking.id}`, `/departures/${booking.trip_id}/${booking.availability_id}`, `/trips/${booking.trip_id}`, `/customers/${customer.id}`, `/destinations/${destination.id}`];
  const page = await opened('administrator', {}); // what was shown once stays, whatever fails afterwards
  const how = {
    404: ['Not found', (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{"code":"svc_not_found","message":"This record does not exist."}' })],
    403: ['Not for this role', (route) => route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"svc_forbidden","message":"You are not allowed to do this."}' })],
    500: ['It could not be opened', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":"svc_internal_error","message":"Broken for the test."}' })],
    0: ['No connection', (route) => route.abort()],
  };
  for (const [status, [title, answer]] of Object.entries(how)) {
    await page.route(/\/svc\/v1\/(bookings|trips|customers|destinations)\/\d+(\/departures\/\d+)?$/, answer);
    for (const path of records) {
      await go(page, `/admin${path}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      const list = path.split('/')[1];
      assert.equal(await page.getByRole('link', { name: 'Back to the list' }).getAttribute('href'), `/admin/${list}`);
      if (path === records[0]) await accessible(page, `a record that answers ${status}`);
    }
    await page.unroute(/\/svc\/v1\/(bookings|trips|customers|destinations)\/\d+(\/departures\/\d+)?$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor({ state: 'detached' });
    records.pop(); // it is shown from now on
  }
  await page.done();
}
