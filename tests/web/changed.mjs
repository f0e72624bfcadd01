// The screens under test: their addresses, and answers that are changed on their way.
import { staff } from './support.mjs';

// Changes what reads answer, within the page: `kind` nulls makes null what may be
// null, many makes long lists longer, empty leaves them without a row, fails answers 500, waits answers nothing.
export function changed({ document_, kind, most }) {
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
    empty(answer, path) {
      if (Array.isArray(answer.data)) return { ...answer, data: [], meta: { ...answer.meta, total: 0, total_pages: 0, counts: {} } };
      if (!path.endsWith('/admin/today')) return answer;
      const parts = Object.entries(answer.data).map(([name, part]) => [name, Array.isArray(part?.data) ? { data: [], total: 0 } : part]);
      return { ...answer, data: Object.fromEntries(parts) };
    },
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
    if (kind === 'waits') return new Promise(() => {});
    if (kind === 'fails') return new Response('{"code":"svc_internal_error","message":"Broken for the test."}', { status: 500, headers: { 'Content-Type': 'application/json' } });
    return new Response(JSON.stringify(changes[kind](await response.json(), path)), { status: response.status, headers: response.headers });
  };
}

export async function paths() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const [payment] = await staff('GET', '/payments?per_page=1');
  const [customer] = await staff('GET', '/customers?per_page=1');
  const [review] = await staff('GET', '/reviews?per_page=1');
  return ['', `/bookings/${booking.id}`, '/departures?view=month', `/departures/${booking.trip_id}/${booking.availability_id}`, `/trips/${booking.trip_id}`, ...['texts', 'prices', 'dates', 'itinerary', 'publishing', 'seasons', 'payment-plan'].map((part) => `/trips/${booking.trip_id}/${part}`),
    ...(payment ? [`/payments/${payment.id}`] : []), `/customers/${customer.id}`, ...(review ? [`/reviews/${review.id}`] : []), '/settings', '/modules', '/gateways', '/emails', '/booking-form', '/pages', '/self', '/reports', '/reports/trips', '/tools', '/tools/cron', '/tools/logs', '/tools/caches', '/tools/status', '/tools/migration', '/waitlist', '/bookings/new', '/customers/duplicates', '/templates',
    '/google-calendar', '/google-calendar/log',
    '/mailchimp/settings', '/mailchimp/log',
    '/additional-services', '/dynamic-pricing/rules', '/abandoned-bookings/campaigns', '/email-sequences/templates', '/email-sequences/log', '/email-sequences/suppressed', '/webhooks/endpoints', '/webhooks/deliveries', '/facebook-pixel/event-logs', '/google-analytics/logs', '/landing-pages', '/landing-pages/new', '/consent/forms', '/consent/requests', '/consent/signed'];
}
