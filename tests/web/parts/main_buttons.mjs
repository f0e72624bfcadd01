// The main button of every screen, and of the dialog that it opens, is pressed once: each does something that its reader
// sees, and none leads to a fault.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, failures, lists, opened, settled, staff } from '../support.mjs';

// Both walks may run at once, each with records of its own.
async function paths(of) {
  const trip = await staff('POST', '/trips', { title: 'Walk for its buttons', summary: 'A day out.', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const departure = await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(45), max_capacity: 8 });
  const contact = { contact_first_name: 'Ida', contact_last_name: 'Rhodes', contact_email: 'ida.rhodes@example.org' };
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(45), travelers_count: 1, ...contact, status: 'pending' });
  const confirmed = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(45), travelers_count: 1, ...contact, status: 'confirmed' });
  const payment = await staff('POST', `/bookings/${confirmed.id}/payments`, { amount: 10, gateway: 'cash', status: 'completed' });
  const customer = await staff('POST', '/customers', { first_name: 'Ida', last_name: 'Rhodes', email: `ida.buttons${of}@example.org` });
  await staff('POST', '/enquiries', { customer_name: 'Ida Rhodes', customer_email: `ida.asks${of}@example.org`, message: 'Is it steep?' });
  const [enquiry] = await staff('GET', `/enquiries?search=ida.asks${of}`); // who asks is not told its number
  const review = await staff('POST', '/reviews', { trip_id: trip.id, author_name: 'Ida', author_email: 'ida.rhodes@example.org', rating: 4, title: 'Good', content: 'All of it.', status: 'pending' });
  const destination = await staff('POST', '/destinations', { name: `Buttonia ${of}` });
  const discount = await staff('POST', '/discounts', { name: 'For buttons', code: `BUTTON${of}`, type: 'percentage', amount: 5 });
  const [picture] = await staff('GET', '/media?per_page=1');
  const draft = await staff('POST', '/trips', { title: 'Draft for its button', regular_price: 40, duration: 1 });
  return [
    '', ...lists, `/bookings/${booking.id}`, `/bookings/${confirmed.id}`, '/bookings/new', '/waitlist', '/departures?view=month', `/departures/${trip.id}/${departure.id}`,
    ...['texts', 'pictures', 'itinerary', 'prices', 'dates', 'attributes', 'publishing', 'payment-plan'].map((part) => `/trips/${trip.id}/${part}`), `/trips/${draft.id}`, '/trips/new', `/destinations/${destination.id}`, '/destinations/new',
    `/discounts/${discount.id}`, '/discounts/new', `/payments/${payment.id}`, '/payments/new', '/gateways', '/reports', `/customers/${customer.id}`, '/customers/new', '/customers/duplicates', `/enquiries/${enquiry.id}`, `/reviews/${review.id}`,
    '/google-calendar',
    '/dynamic-pricing/rules', '/abandoned-bookings/campaigns', '/landing-pages', '/consent/forms', '/consent/forms/new', '/consent/requests', '/email-sequences', '/email-sequences/templates', ...(picture ? [`/media/${picture.id}`] : []),
    '/emails', '/booking-form', '/settings', '/modules', '/pages', '/templates', '/self', '/first-steps', '/everything',
    ...['jobs', 'export', 'import', 'migration', 'logs', 'cron', 'caches', 'status'].map((part) => `/tools/${part}`),
  ];
}

// What a reader sees of the page, without what changes by itself.
const looks = (page) => page.evaluate(() => [location.href, window.printed ?? 0, document.querySelector('dialog[open]')?.innerText, document.body.innerText].join('\n'));

async function walked(of) {
  const page = await opened('administrator', { script: [() => (window.print = () => (window.printed = (window.printed ?? 0) + 1))] });
  const broken = [];
  page.on('response', (response) => response.status() >= 400 && response.url().includes('/svc/v1/') && broken.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`));
  let [pressed, choosers] = [0, 0];
  page.on('filechooser', () => (choosers += 1));
  for (const path of (await paths(of)).filter((_, at) => at % 2 === of)) {
    await page.goto(`${BASE}/admin${path}`);
    await page.locator('main h1').first().waitFor();
    await settled(page);
    // Again in the dialog that it opens, and in the one after that. A screen that is a sheet over a list begins there.
    const begins = (await page.locator('dialog[open]').count()) ? 'dialog[open]' : 'main';
    for (const where of [begins, 'dialog[open]', 'dialog[open]']) {
      const main = page.locator(where === 'main' ? 'main .svc-primary:visible:not([disabled])' : `${where} footer :is(.svc-primary, .svc-danger):not([disabled])`).last();
      if (!(await main.count())) break;
      const before = await looks(page);
      const name = `${path || '/'}: ${(await main.innerText()).trim()}`;
      const chose = choosers;
      let asked = 0;
      const count = (request) => (asked += request.url().includes('/svc/v1/') ? 1 : 0);
      page.on('request', count);
      await main.click();
      await settled(page);
      // What it opens is drawn with the next frames, which a busy machine draws late.
      const does = async () => asked > 0 || chose !== choosers || before !== (await looks(page));
      for (let tries = 0; tries < 30 && !(await does()); tries += 1) await page.waitForTimeout(100);
      page.off('request', count);
      pressed += 1;
      if (!(await does())) failures.push(`${name} does nothing`);
      await settled(page);
      const refusals = broken.splice(0);
      // An empty form is refused, and says so at its fields.
      const is_new = path.endsWith('/new') || path === '/dynamic-pricing/rules'; // whose form is in a dialog
      const is_refused_form = is_new && refusals.length === 1 && /^400 POST/.test(refusals[0]) && (await page.locator(`${where} [aria-invalid=true]`).count());
      if (refusals.length && !is_refused_form) failures.push(`${name} leads to ${refusals}`);
      if (await page.getByText(/^This screen broke/).count()) failures.push(`${name} breaks the screen`);
    }
  }
  assert(pressed > 12, `${pressed} buttons`);
  await page.done();
}
export const main_buttons_first = () => walked(0);
export const main_buttons_second = () => walked(1);
