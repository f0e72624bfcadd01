// No screen breaks on what is null, or on very long lists.
import assert from 'node:assert/strict';

import { document_, go, opened, route_of, staff } from '../support.mjs';

const pointed = (schema) => {
  let found = schema;
  while (found?.$ref) found = found.$ref.slice(2).split('/').reduce((at, part) => at?.[part], document_);
  return found ?? {};
};

// What may be null is; the rest as it came.
function nulled(value, given, depth = 0) {
  const schema = pointed(given);
  if (depth > 12 || value === null) return value;
  const any_of = schema.anyOf ?? schema.oneOf;
  const may_be_null = [schema.type].flat().includes('null') || any_of?.some((one) => pointed(one).type === 'null');
  if (may_be_null) return null;
  const inner = any_of ? pointed(any_of[0]) : schema;
  const properties = Object.assign({}, inner.properties, ...(inner.allOf ?? []).map((one) => pointed(one).properties));
  if (Array.isArray(value)) return value.map((one) => nulled(one, inner.items ?? {}, depth + 1));
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nulled(one, properties[name] ?? {}, depth + 1)]));
  return value;
}

async function changed(page, change) {
  await page.route(/\/svc\/v1\/(?!auth\/|openapi)/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch().catch(() => null);
    if (!response) return undefined;
    if (!/json/.test(response.headers()['content-type'] ?? '') || !response.ok()) return route.fulfill({ response });
    const found = route_of('GET', route.request().url());
    const answer = pointed(pointed(found?.methods.get.responses['200'])?.content?.['application/json']?.schema);
    return route.fulfill({ response, json: change(await response.json(), answer, found) });
  });
}

async function paths() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const [payment] = await staff('GET', '/payments?per_page=1');
  const [customer] = await staff('GET', '/customers?per_page=1');
  const [review] = await staff('GET', '/reviews?per_page=1');
  return ['', '/bookings', `/bookings/${booking.id}`, '/departures', '/departures?view=list', `/departures/${booking.trip_id}/${booking.availability_id}`, '/trips', `/trips/${booking.trip_id}`, ...['texts', 'prices', 'dates', 'itinerary', 'publishing'].map((part) => `/trips/${booking.trip_id}/${part}`),
    '/payments', ...(payment ? [`/payments/${payment.id}`] : []), '/customers', `/customers/${customer.id}`, ...(review ? [`/reviews/${review.id}`] : []), '/enquiries', '/discounts', '/media', '/settings', '/modules', '/gateways', '/emails', '/booking-form', '/pages', '/self', '/reports', '/reports/trips', '/tools', '/tools/cron', '/tools/logs', '/tools/caches', '/tools/status', '/tools/migration', '/destinations', '/scheduled-payments', '/waitlist', '/bookings/new'];
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
  const page = await opened('administrator');
  await changed(page, (answer, schema) => ({ ...answer, data: nulled(answer.data, Object.assign({}, pointed(schema).properties, ...(pointed(schema).allOf ?? []).map((one) => pointed(one).properties)).data ?? {}) }));
  await page.reload();
  await page.locator('.svc-frame').waitFor();
  await unbroken(page, all);
  await page.done();
}

// Lists that come whole have 10,000 entries; those in pages tell as many.
export async function ten_thousand() {
  const many = 10_000;
  const all = (await paths()).filter((path) => !/^\/(settings|modules|emails|gateways|booking-form|bookings\/new)/.test(path));
  const page = await opened('administrator');
  page.setDefaultTimeout(60_000);
  await changed(page, (answer) => {
    if (Array.isArray(answer.data) && answer.meta?.total !== undefined) return { ...answer, meta: { ...answer.meta, total: many, total_pages: Math.ceil(many / answer.meta.per_page) } };
    if (Array.isArray(answer.data) && answer.data.length) return { ...answer, data: Array.from({ length: many }, (_, at) => ({ ...answer.data[at % answer.data.length], ...(answer.data[0].id && { id: at + 1 }) })) };
    return answer;
  });
  await page.reload();
  await page.locator('.svc-frame').waitFor();
  await unbroken(page, all);
  await go(page, '/admin/bookings');
  await page.getByText(/^1 to 25 of 10,000$/).waitFor();
  await page.done();
}
