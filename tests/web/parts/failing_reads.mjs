// A read that fails shows itself with "Try again" on every screen, whichever of the screen's reads it is.
import assert from 'node:assert/strict';

import { BASE, failures, go, opened, settled, staff } from '../support.mjs';

// What the app itself reads before and beside its screens.
const of_app = /\/svc\/v1\/(auth\/me|openapi\.json|admin\/start|customers\/me|admin\/today\?counts_only=true)$/;
const broken = { status: 500, contentType: 'application/json', body: '{"code":"svc_internal_error","message":"Broken for the test."}' };

async function paths() {
  const first = async (path, params = '') => (await staff('GET', `${path}?per_page=1${params}`))[0];
  const [booking, trip, payment, customer, destination, discount, picture] = await Promise.all(['/bookings', '/trips', '/payments', '/customers', '/destinations', '/discounts', '/media'].map((one) => first(one)));
  const departure = await first('/departures');
  const enquiry = (await first('/enquiries')) ?? (await staff('POST', '/enquiries', { customer_name: 'Emmy Noether', customer_email: 'emmy@example.org', message: 'Is the boat covered?' }));
  const review = (await first('/reviews')) ?? (await staff('POST', '/reviews', { trip_id: trip.id, author_name: 'Ada', author_email: 'ada@example.org', rating: 5, title: 'Good', content: 'All of it.' }));
  return [
    '', '/bookings', `/bookings/${booking.id}`, '/bookings/new', '/waitlist', '/travelers', '/departures?view=month', '/departures?view=list', `/departures/${departure.trip_id}/${departure.id}`,
    '/trips', ...['texts', 'pictures', 'itinerary', 'prices', 'dates', 'attributes', 'publishing', 'payment-plan'].map((part) => `/trips/${trip.id}/${part}`), '/trips/new',
    '/destinations', `/destinations/${destination.id}`, '/attributes', '/media', ...(picture ? [`/media/${picture.id}`] : []), '/discounts', ...(discount ? [`/discounts/${discount.id}`] : []), '/discounts/new',
    '/google-calendar', '/google-calendar/log',
    '/mailchimp/settings', '/mailchimp/log',
    '/payments', `/payments/${payment.id}`, '/scheduled-payments', '/scheduled-payments/outstanding', '/abandoned-bookings', '/abandoned-bookings/campaigns', '/consent/forms', '/consent/requests', '/consent/signed', '/additional-services', `/additional-services/trip/${trip.id}`, '/dynamic-pricing/rules', '/webhooks/endpoints', '/webhooks/deliveries', '/facebook-pixel/event-logs', '/google-analytics/logs', '/landing-pages', '/email-sequences', '/email-sequences/templates', '/email-sequences/log', '/email-sequences/suppressed', '/gateways', '/reports', '/customers', `/customers/${customer.id}`, '/customers/duplicates',
    '/enquiries', `/enquiries/${enquiry.id}`, '/reviews', `/reviews/${review.id}`, '/emails', '/booking-form', '/settings', '/modules', '/pages', '/templates', '/self', '/first-steps',
    ...['jobs', 'export', 'import', 'migration', 'logs', 'cron', 'caches', 'status'].map((part) => `/tools/${part}`),
  ];
}

async function walked(of) {
  const page = await opened('administrator', {});
  let [screens, reads] = [0, 0];
  const of_trip = new Set(); // read by all parts of a trip's screen alike
  for (const path of (await paths()).filter((_, at) => at % 2 === of)) {
    const failed = /^\/trips\/\d/.test(path) ? of_trip : new Set();
    screens += 1;
    const seen = new Set();
    const name_of = (request) => request.url().replace(BASE, '').replace(/(from|to|from_date|to_date)=[^&]+/g, '');
    const is_read = (request) => /\/svc\/v1\//.test(request.url()) && request.method() === 'GET' && request.resourceType() !== 'image' && !of_app.test(request.url());
    const note = (request) => is_read(request) && seen.add(name_of(request));
    page.on('request', note);
    // Each load breaks one read that none has broken before, until there is no other.
    do {
      let target = '';
      await page.goto('about:blank'); // what the screen before still asks is none of this one's
      await page.route(/\/svc\/v1\//, (route) => {
        if (!is_read(route.request())) return route.continue();
        const name = name_of(route.request());
        if (!target && !failed.has(name)) target = name;
        return name === target ? route.fulfill(broken) : route.continue();
      });
      await page.goto(`${BASE}/admin${path}`);
      await page.locator('main h1, main [role=alert]').first().waitFor();
      await settled(page);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (!target) break;
      failed.add(target);
      reads += 1;
      const on_top = page.locator('dialog[open]');
      const there = (await on_top.getByRole('button', { name: 'Try again' }).count()) ? on_top : page.locator('main');
      const again = there.getByRole('button', { name: 'Try again' }).first();
      if (!(await again.count())) failures.push(`${path || '/'}: ${target} fails and nothing says so`);
      if (!(await again.count()) || (there !== on_top && (await on_top.count()))) continue; // a dialog lies over it
      await again.click();
      await page.getByText('Broken for the test.').first().waitFor({ state: 'detached', timeout: 20_000 }).catch(() => failures.push(`${path || '/'}: ${target}: trying again does not help`));
      await settled(page);
    } while ([...seen].some((name) => !failed.has(name)));
    page.off('request', note);
  }
  assert(screens > 20 && reads > screens, `${screens} screens, ${reads} reads`);
  await page.done();
}
export const failing_reads_first = () => walked(0);
export const failing_reads_second = () => walked(1);

// Without an answer to what the app itself needs there is one sentence and a way to try it again.
export async function failing_start() {
  const page = await opened('administrator', {});
  for (const path of ['auth/me', 'openapi.json', 'admin/start']) {
    await page.route(`**/svc/v1/${path}`, (route) => route.fulfill(broken));
    await page.goto(`${BASE}/admin/customers`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    if (path === 'admin/start') await page.getByText('Modules: Broken for the test.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
  }
  await go(page, '/admin');
  await page.done();
}
