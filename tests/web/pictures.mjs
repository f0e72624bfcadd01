// Pictures of every page and state of the site: run by site_pages_test.py … pictures [names]. Each state is reached once
// and shown at 1280 and 360 px, light and dark, as FOLDER/{state}-{width}-{scheme}.png; PICTURES names the folder, SHOWN
// the widths and schemes ("1280-light,360-dark").
import fs from 'node:fs';
import http from 'node:http';
import { session_of } from './session.mjs';
import { BASE, api, at_pay, choose, days, details, fill_details, opened, sign_in, slugs, staff, told, use_card_stub, wide } from './visitor.mjs';

const folder = process.env.PICTURES ?? 'pictures';
const shown = (process.env.SHOWN ?? '1280-light,360-light,1280-dark,360-dark').split(',').map((one) => one.split('-'));
const [kayaks, walk] = slugs;
let only = [];

async function take(page, name) {
  if (only.length && !only.some((one) => name.startsWith(one))) return;
  for (const [width, scheme] of shown) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: Number(width), height: width === '360' ? 740 : 900 });
    await page.evaluate(async () => {
      for (const one of document.images) one.loading = 'eager';
      await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)));
      if (!document.querySelector('dialog[open]')) scrollTo(0, 0);
    });
    await page.waitForTimeout(60);
    await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png`, fullPage: !name.endsWith('window') });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(wide.viewport);
}

async function browsing(page, all) {
  const rich = all.find((one) => one.slug === 'kumano-walking-the-old-pilgrim-way').slug;
  for (const [name, path] of [
    ['home', '/'], ['listing', '/trip'], ['listing-empty', '/trip?search=zzzz&difficulty=easy'], ['listing-filtered', '/trip?difficulty=moderate&max_price=600'],
    ['trip', `/trip/${rich}`], ['trip-reviews', `/trip/${kayaks}`], ['trip-sold-out', '/trip/nothing-left'], ['trip-no-dates', '/trip/later'],
    ['destinations', '/destination'], ['destination', '/destination/japan'], ['activities', '/activity'], ['enquiry', `/trip/${rich}/enquiry`],
    ['compare', `/compare?trip=${rich}&trip=kyoto-by-bicycle&trip=petra-before-the-crowds`], ['compare-empty', '/compare'],
    ['book', `/book/${rich}`], ['session-expired', `/book/${walk}/pay`], ['locked', '/book/confirmation/SVC-ZZZZZZZZ'],
    ['sign-in', '/account/login'], ['register', '/account/register'], ['forgot', '/account/forgot'], ['not-found', '/nowhere'], ['error', `/trip/${walk}?q=%zz`],
  ]) {
    await page.goto(BASE + path);
    await page.waitForLoadState('networkidle');
    await take(page, name);
  }
  await page.goto(`${BASE}/trip/${rich}`);
  if (await page.locator('.svc-gallery a').count()) {
    await page.locator('.svc-gallery a').first().click();
    await take(page, 'gallery-window');
    await page.keyboard.press('Escape');
  }
  await page.goto(`${BASE}/trip/${walk}`);
  while (!(await page.locator(`.svc-grid [data-date="${days[3]}"]`).count())) await page.getByRole('button', { name: 'Later month' }).click();
  await page.locator(`.svc-grid [data-date="${days[3]}"]`).click();
  await page.locator('[data-price-url]').getByText('USD').first().waitFor();
  await take(page, 'trip-dates');
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await take(page, 'trip-dates-list');
  await page.goto(`${BASE}/account/login`);
  await page.getByLabel('E-mail or login').fill('nobody');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await take(page, 'sign-in-refused');
}

async function booking(page) {
  await choose(page, walk, days[0], true);
  await page.getByRole('button', { name: 'Continue to your details' }).click();
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
  await take(page, 'details');
  await page.evaluate(() => document.querySelectorAll('form').forEach((one) => (one.noValidate = true)));
  await page.locator('[name=contact_phone]').fill('x');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('alert').waitFor();
  await take(page, 'details-refused');
  await fill_details(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
  await take(page, 'pay');
  await page.locator('summary', { hasText: 'Coupon' }).click();
  await page.getByLabel('Coupon').fill('NOTHING');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('#coupon-error').waitFor();
  await take(page, 'pay-coupon-refused');
  await page.locator('input[value=pay_later]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
  await take(page, 'confirmation');
  const at = page.url();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 1000 });
  await page.screenshot({ path: `${folder}/confirmation-print.png`, fullPage: true });
  await page.emulateMedia({ media: 'screen' });
  await page.locator('summary', { hasText: 'Cancel this booking' }).click();
  await take(page, 'cancel');
  await page.getByLabel('I want to cancel').check();
  await page.getByRole('button', { name: 'Cancel the booking' }).click();
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
  await take(page, 'cancelled');
  return at;
}

async function card(page) {
  await use_card_stub(page);
  await at_pay(page, kayaks, days[0], true);
  await page.locator('input[value=stripe]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.locator('#pay .svc-card-field').waitFor();
  await take(page, 'card');
  await page.locator('.svc-card-field').fill('4000');
  await page.getByRole('button', { name: /^Pay USD/ }).click();
  await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  await take(page, 'card-declined');
  await page.locator('.svc-card-field').fill('4242');
  await page.getByRole('button', { name: /^Pay USD/ }).click();
  await page.getByRole('heading', { name: 'Your trip is booked' }).waitFor();
  await take(page, 'confirmation-paid');
}

async function waiting(page) {
  const trip = await staff('POST', '/trips', { title: 'One seat on the mail boat', summary: 'A morning with the post.', regular_price: 30, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: days[1], max_capacity: 1 });
  const other = await opened({ javaScriptEnabled: false });
  await at_pay(page, trip.slug, days[1], true);
  await at_pay(other, trip.slug, days[1], false);
  await other.getByRole('button', { name: /^Book for/ }).click();
  await page.locator('input[value=pay_later]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.getByRole('heading', { name: 'These seats have just been sold' }).waitFor();
  await take(page, 'sold-out-at-the-end');
  await page.getByRole('button', { name: 'Join the waitlist instead' }).click();
  await page.getByRole('heading', { name: 'You are on the waitlist' }).waitFor();
  await take(page, 'waitlist');
  const reference = /SVC-[0-9A-Z]{8}/.exec(other.url())[0];
  const [{ id }] = await staff('GET', `/bookings?search=${reference}`);
  await staff('PUT', `/bookings/${id}/status`, { status: 'cancelled' });
  await page.goto(await told('mail/waitlist_offer/ada@example.org'));
  await take(page, 'waitlist-offer');
  await other.context().close();
}

async function account(page) {
  for (const module of ['flexible_payments', 'scheduled_payments']) await staff('POST', `/modules/${module}/toggle`, { enabled: true });
  const newcomer = await opened();
  await sign_in(newcomer, 'vera', process.env.NEWCOMER);
  for (const [name, path] of [['account-empty', ''], ['account-payments-empty', '/payments']]) {
    await newcomer.goto(`${BASE}/account${path}`);
    await take(newcomer, name);
  }
  await newcomer.context().close();
  await sign_in(page);
  await at_pay(page, 'kyoto-by-bicycle', await told('first/kyoto-by-bicycle'), true);
  await page.locator('input[value=pay_later]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
  await at_pay(page, walk, days[4], true);
  await page.locator('input[value=pay_later]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
  const expired = page.url();
  await told(`expire/${/SVC-[0-9A-Z]{8}/.exec(expired)[0]}`);
  await page.goto(expired);
  await take(page, 'expired');
  await page.goto(`${BASE}/account`);
  await take(page, 'account');
  await page.locator('main .svc-card a').first().click();
  await take(page, 'account-booking');
  const [{ reference }] = await staff('GET', '/bookings?search=ada@example.org&status=pending');
  await told(`plan/${reference}`);
  for (const name of ['profile', 'enquiries', 'reviews', 'payments']) {
    await page.goto(`${BASE}/account/${name}`);
    await take(page, `account-${name}`);
  }
}

// What Pro's modules add to a booking: extras, a coupon beside tax, a deposit.
async function extras(page) {
  const modules = ['additional_services', 'flexible_payments'];
  for (const module of modules) await staff('POST', `/modules/${module}/toggle`, { enabled: true });
  for (const one of [{ name: 'Airport transfer', description: 'From any hotel in town.', price: 25, price_per: 'person' }, { name: 'Travel insurance', price: 4, price_type: 'percentage' },
    { name: 'Guide book', price: 12, price_per: 'booking', is_included: true }, { name: 'Park fee', price: 7, price_per: 'person', is_required: true }])
    await staff('POST', '/additional-services', { ...one, status: 'publish' });
  await staff('POST', '/discounts', { code: 'TEN', type: 'percentage', amount: 10, status: 'publish' });
  await staff('PUT', '/settings', { enable_deposit: true, deposit_percentage: 20, enable_tax: true, tax_rate: 5 });
  try {
    await page.goto(`${BASE}/trip/kyoto-by-bicycle`);
    await page.locator('.svc-grid [data-date][aria-selected]').first().click();
    await page.getByRole('button', { name: 'Check and book' }).click();
    await page.getByRole('button', { name: 'More: Airport transfer' }).click();
    await page.locator('[data-price-url]').getByText('Airport transfer').waitFor();
    await take(page, 'extras');
    await page.getByRole('button', { name: 'Continue to your details' }).click();
    await fill_details(page);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.locator('summary', { hasText: 'Coupon' }).click();
    await page.getByLabel('Coupon').fill('TEN');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('input[value="deposit:pay_later"]').check();
    await page.getByText('The rest').waitFor();
    await take(page, 'extras-deposit');
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
    await take(page, 'extras-booked');
  } finally {
    await staff('PUT', '/settings', { enable_deposit: false, enable_tax: false });
    for (const module of modules) await staff('POST', `/modules/${module}/toggle`, { enabled: false });
  }
}

async function elsewhere(page) {
  const partner = http.createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><meta name=viewport content="width=device-width"><title>Partner</title><body style="font:16px serif;background:#fff;color:#222;max-width:700px;margin:auto;padding:12px"><h1>Slow weekends</h1><p>We tried this one and liked it very much.</p><script src="${BASE}/embed.js" data-trip="kyoto-by-bicycle" async></script><p>More next week.</p>`);
  });
  await new Promise((done) => partner.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${partner.address().port}`;
  await staff('PUT', '/settings', { embed_origins: [origin] });
  await page.goto(origin);
  await page.frameLocator('iframe').locator('h1').waitFor();
  await page.waitForTimeout(500);
  await take(page, 'embed');
  await staff('PUT', '/settings', { embed_origins: [] });
  partner.close();
  const { cookies } = await session_of(api, 'boss', process.env.BOSS);
  await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: BASE })));
  await page.goto(`${BASE}/trip/a-draft?preview=1`);
  await take(page, 'preview');
}

// The banner on the window, closed and open, and the page of choices, as a visitor meets them.
async function consent(page, all) {
  const rich = all.find((one) => one.slug === 'kumano-walking-the-old-pilgrim-way')?.slug ?? kayaks;
  await staff('PUT', '/settings', { google_analytics: 'G-PICTURE', facebook_pixel: '123456789012345' });
  try {
    await page.goto(`${BASE}/trip/${rich}`);
    await take(page, 'consent-window');
    await page.locator('[data-consent] summary').click();
    await take(page, 'consent-open-window');
    await page.goto(`${BASE}/trip/${rich}`);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await take(page, 'consent-end');
    await page.goto(`${BASE}/privacy-choices?saved=1`);
    await take(page, 'consent-choices');
  } finally {
    await staff('PUT', '/settings', { google_analytics: '', facebook_pixel: '' });
  }
}

export async function pictures(names) {
  only = names;
  fs.mkdirSync(folder, { recursive: true });
  const { data: all } = await (await fetch(`${api}/trips/public?per_page=50`)).json();
  const draft = await staff('POST', '/trips', { title: 'A draft', slug: 'a-draft', summary: 'Not yet for everybody.', regular_price: 30, duration: 1 });
  for (const [title, slug] of [['Nothing left', 'nothing-left'], ['Later', 'later']]) {
    const trip = await staff('POST', '/trips', { title, slug, summary: 'A walk that many like.', regular_price: 30, duration: 1, featured_image: draft.featured_image });
    await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
    if (slug === 'later') {
      await staff('PUT', `/trips/${trip.id}`, { available_from: '2040-01-01' });
      continue;
    }
    await staff('POST', `/trips/${trip.id}/departures`, { start_date: days[1], max_capacity: 1 });
    const page = await opened({ javaScriptEnabled: false });
    await at_pay(page, slug, days[1], false);
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.context().close();
  }
  await staff('PUT', '/settings', { enable_comparison: true });
  for (const [prefixes, walk_through] of [
    [null, browsing], [['details', 'pay', 'confirmation', 'cancel'], booking], [['card', 'confirmation-paid'], card], [['sold-out-at', 'waitlist'], waiting],
    [['extras'], extras], [['account', 'expired'], account], [['embed', 'preview'], elsewhere], [['consent'], consent],
  ]) {
    if (only.length && prefixes && !only.some((one) => prefixes.some((prefix) => prefix.startsWith(one) || one.startsWith(prefix)))) continue;
    if (only.length && !prefixes && process.env.SKIP_BROWSING) continue;
    const page = await opened();
    try {
      await walk_through(page, all);
    } catch (error) {
      await page.screenshot({ path: `${folder}/stopped-${walk_through.name}.png`, fullPage: true });
      console.error(`stopped in ${walk_through.name} at ${page.url()}: ${error.message}`);
    }
    await page.context().close();
  }
  console.log(`${fs.readdirSync(folder).length} pictures in ${folder}`);
}
