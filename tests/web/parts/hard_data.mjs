// No screen breaks on what is null, or on very long lists.
import assert from 'node:assert/strict';

import { accessible, document_, go, lists, opened, staff } from '../support.mjs';

// Changes what reads answer, within the page: `kind` nulls makes null what may be
// null, many makes long lists longer, empty leaves them without a row, fails answers 500.
function changed({ document_, kind, most }) {
  const pointed = (schema) => {
    let found = schema;
    while (found?.$ref) found = found.$ref.slice(2).split('/').reduce((at, part) => at?.[part], document_);
    return found ?? {};
  };
  const properties_of = (schema) => Object.assign({}, schema.properties, ...(schema.allOf ?? []).map((one) => properties_of(pointed(one))));
  const nulled = (value, given, depth = 0) => {
    const schema = pointed(given);
    if (depth > 12 || value === null) return value;
    const any_of = schema.anyOf ?? schema.oneOf;
    if ([schema.type].flat().includes('null') || any_of?.some((one) => pointed(one).type === 'null')) return null;
    const inner = any_of ? pointed(any_of[0]) : schema;
    if (Array.isArray(value)) return value.map((one) => nulled(one, inner.items ?? {}, depth + 1));
    if (typeof value !== 'object') return value;
    const properties = properties_of(inner);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nulled(one, properties[name] ?? {}, depth + 1)]));
  };
  const templates = Object.entries(document_.paths).filter(([, methods]) => methods.get).map(([path, { get }]) => ({ path, get, pattern: new RegExp(`^/svc/v1${path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));
  const changes = {
    nulls(answer, path) {
      const hits = templates.filter((one) => one.pattern.test(path));
      const found = hits.find((one) => path.endsWith(one.path)) ?? hits[0];
      const schema = pointed(pointed(found?.get.responses['200'])?.content?.['application/json']?.schema);
      return { ...answer, data: nulled(answer.data, properties_of(schema).data ?? {}) };
    },
    empty: (answer) => (Array.isArray(answer.data) ? { ...answer, data: [], meta: { ...answer.meta, total: 0, total_pages: 0, counts: {} } } : answer),
    many(answer) {
      if (Array.isArray(answer.data) && answer.meta?.total !== undefined) return { ...answer, meta: { ...answer.meta, total: most, total_pages: Math.ceil(most / answer.meta.per_page) } };
      if (Array.isArray(answer.data) && answer.data.length) return { ...answer, data: Array.from({ length: most }, (_, at) => ({ ...answer.data[at % answer.data.length], ...(answer.data[0].id && { id: at + 1 }) })) };
      return answer;
    },
  };
  const real = window.fetch;
  window.fetch = async (address, options) => {
    const response = await real(address, options);
    const path = new URL(address, location.href).pathname;
    const reads = (options?.method ?? 'GET') === 'GET' && /^\/svc\/v1\/(?!auth\/|openapi)/.test(path) && response.ok && /json/.test(response.headers.get('content-type') ?? '');
    if (!reads) return response;
    if (kind === 'fails') return new Response('{"code":"svc_internal_error","message":"Broken for the test."}', { status: 500, headers: { 'Content-Type': 'application/json' } });
    return new Response(JSON.stringify(changes[kind](await response.json(), path)), { status: response.status, headers: response.headers });
  };
}

async function paths() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const [payment] = await staff('GET', '/payments?per_page=1');
  const [customer] = await staff('GET', '/customers?per_page=1');
  const [review] = await staff('GET', '/reviews?per_page=1');
  return ['', `/bookings/${booking.id}`, '/departures?view=month', `/departures/${booking.trip_id}/${booking.availability_id}`, `/trips/${booking.trip_id}`, ...['texts', 'prices', 'dates', 'itinerary', 'publishing'].map((part) => `/trips/${booking.trip_id}/${part}`),
    ...(payment ? [`/payments/${payment.id}`] : []), `/customers/${customer.id}`, ...(review ? [`/reviews/${review.id}`] : []), '/settings', '/modules', '/gateways', '/emails', '/booking-form', '/pages', '/self', '/reports', '/reports/trips', '/tools', '/tools/cron', '/tools/logs', '/tools/caches', '/tools/status', '/tools/migration', '/waitlist', '/bookings/new', '/customers/duplicates', '/templates'];
}

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
const states = ['', '/bookings', '/departures?view=month', '/departures?view=list', '/trips', '/payments', '/customers', '/customers/duplicates', '/enquiries', '/reviews', '/discounts', '/scheduled-payments', '/tools', '/pages'];
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
  assert.equal(await page.locator('main .svc-failure').count(), 0, path);
  assert((await page.locator('main .svc-empty').count()) > 0, `${path || 'today'} says nothing when it is empty`);
});
export const failing_screens = () => in_state('fails', async (page, path) => {
  await page.locator('main').getByText('Broken for the test.').first().waitFor();
  assert((await page.locator('main').getByRole('button', { name: 'Try again' }).count()) > 0, `${path || 'today'} does not offer to try again`);
});

// What cannot be opened: a heading, the reason, a way back to its list, and another try, which opens it once it can be.
export async function failing_records() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const [customer] = await staff('GET', '/customers?per_page=1');
  const [destination] = await staff('GET', '/destinations?per_page=1');
  const records = [`/bookings/${booking.id}`, `/departures/${booking.trip_id}/${booking.availability_id}`, `/trips/${booking.trip_id}`, `/customers/${customer.id}`, `/destinations/${destination.id}`];
  const page = await opened('administrator');
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
    records.pop(); // what was shown once stays, whatever fails afterwards
  }
  await page.done();
}
