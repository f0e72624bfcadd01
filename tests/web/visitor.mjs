// Shared by the tests of the site: pages that are watched, what each page must be, the steps of a booking.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe_source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const { BASE, BANK, DATABASE, PASSWORD, STAFF } = process.env;
export const slugs = JSON.parse(process.env.SLUGS);
export const days = JSON.parse(process.env.DAYS);
export const api = `${BASE}/svc/v1`;
export const failures = [];
export const wide = { viewport: { width: 1280, height: 900 } };
export const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export async function staff(method, path, body) {
  const response = await fetch(api + path, { method, headers: { Authorization: STAFF, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

// Messages of the console besides the page's own status, and requests that the policy stops, are failures.
export async function opened(options = {}) {
  const context = await browser.newContext({ ...wide, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) failures.push(`console at ${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => failures.push(`page error at ${page.url()}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest()) failures.push(`${response.status()} ${response.url()}`);
  });
  return page;
}

// Runs in a page from its beginning: window.lcp in ms and of what, window.cls, and what moved.
export function watch_paint() {
  window.lcp = window.cls = 0;
  window.moved = [];
  new PerformanceObserver((list) => list.getEntries().forEach((one) => ([window.lcp, window.lcp_of] = [one.startTime, one.url ? new URL(one.url).pathname : one.element?.nodeName]))).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      if (one.hadRecentInput) continue;
      window.cls += one.value;
      for (const { node, previousRect: from, currentRect: to } of one.sources) window.moved.push(`${node?.nodeName ?? ''}.${node?.className ?? ''} from ${Math.round(from.y)}+${Math.round(from.height)} to ${Math.round(to.y)}+${Math.round(to.height)}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

export async function accessible(page, name) {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${axe_source}; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((done) => done.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')).join('; '))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (result.value !== '') failures.push(`axe ${name}: ${result.value ?? JSON.stringify(result)}`);
}

// Requirements of each page, whatever it shows.
export async function sound(page, name) {
  const seen = await page.evaluate(() => ({
    heads: document.querySelectorAll('h1').length,
    mains: document.querySelectorAll('main').length,
    wider: document.documentElement.scrollWidth - window.innerWidth,
    title: document.title,
    skipped: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one, at, all) => at && Number(one.tagName[1]) > Number(all[at - 1].tagName[1]) + 1).map((one) => one.outerHTML.slice(0, 80)),
    misplaced: [...document.querySelectorAll('dl > :not(dt, dd, div, script, template), dl > div > :not(dt, dd, script, template), :is(ul, ol) > :not(li, script, template), p :is(div, p, ul, section)')].map((one) => one.outerHTML.slice(0, 80)),
    broken: [...document.images].filter((one) => one.getAttribute('src') === '/' || (one.complete && !one.naturalWidth)).map((one) => one.outerHTML.slice(0, 80)),
    small: [...document.querySelectorAll('main button, main input:not([type=hidden]), main select, .svc-grid [data-date]')]
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, at]) => at.width > 0 && Math.max(at.width, at.height) < 43.5 && !one.matches('[type=radio], [type=checkbox]'))
      .map(([one]) => one.outerHTML.slice(0, 80)),
  }));
  if (seen.heads !== 1 || seen.mains !== 1) failures.push(`${name}: ${seen.heads} h1, ${seen.mains} main`);
  if (seen.wider > 0) failures.push(`${name} is ${seen.wider} px wider than its window`);
  if (seen.broken.length) failures.push(`${name}: broken pictures ${seen.broken.join(' ')}`);
  if (seen.small.length) failures.push(`${name}: small targets ${seen.small.join(' ')}`);
  if (seen.skipped.length) failures.push(`${name}: headings that leave out a level: ${seen.skipped.join(' ')}`);
  if (seen.misplaced.length) failures.push(`${name}: elements that may not stand there: ${seen.misplaced.join(' ')}`);
  if (!seen.title.includes('Blue Boots')) failures.push(`${name}: title ${seen.title}`);
  // axe waits for timers, which do not run on a page without scripts; the same pages are checked with them.
  if (!name.endsWith('without scripts')) await accessible(page, name);
}

export const details = {
  contact_first_name: 'Ada', contact_last_name: 'Lovelace', contact_email: 'ada@example.org', contact_phone: '+44 20 7946 0001', contact_country: 'GB',
  emergency_name: 'Annabella', emergency_phone: '+44 20 7946 0002', 'travelers.1.date_of_birth': '1990-12-10', 'travelers.1.gender': 'female', 'travelers.1.nationality': 'British',
};
export async function fill_details(page, other = {}) {
  for (const [name, value] of Object.entries({ ...details, ...other })) {
    const field = page.locator(`[name="${name}"]`);
    if (!(await field.count())) continue;
    if (await field.evaluate((one) => one.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
}
// Chooses a date on the step's page, by the list that is there without scripts or the grid that is there with them.
export async function choose(page, slug, date, scripts) {
  await page.goto(`${BASE}/book/${slug}`);
  if (scripts) {
    while (!(await page.locator(`.svc-grid [data-date="${date}"]`).count())) await page.getByRole('button', { name: 'Later month' }).click();
    await page.locator(`.svc-grid [data-date="${date}"]`).click();
  } else {
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true))).catch(() => undefined);
    await page.locator(`input[name=date][value^="${date}"]`).first().check({ force: true });
  }
}
export async function at_pay(page, slug, date, scripts, other = {}) {
  await choose(page, slug, date, scripts);
  await page.getByRole('button', { name: 'Continue to your details' }).click();
  await fill_details(page, other);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
}
// Books what at_pay() left to be confirmed, to be paid later.
export async function book_and_pay_later(page) {
  await page.locator('input[value=pay_later]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
  return /SVC-[0-9A-Z]{8}/.exec(page.url())[0];
}
// A published trip with one departure.
export async function given_trip(title, date, seats, more = {}) {
  const trip = await staff('POST', '/trips', { title, summary: 'By the water.', regular_price: 30, duration: 1, ...more });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: date, max_capacity: seats });
  return trip;
}
// The bank's messages of site_pages_test.py: a mailed link, a day.
export const told = async (path) => (await (await fetch(`${BANK}/${path}`)).text()).trim();
// Stripe's script is the stub, and its bank is the one beside us.
export async function use_card_stub(page) {
  await page.exposeFunction('bank', async (what, id) => void (await fetch(`${BANK}/${what}/${id}`)));
  await page.route('https://js.stripe.com/v3/', (route) => route.fulfill({ contentType: 'text/javascript', body: stripe_stub }));
}
export async function sign_in(page, login = 'ada', password = PASSWORD) {
  await page.goto(`${BASE}/account/login`);
  await page.getByLabel('E-mail or login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My bookings' }).waitFor();
}

// Goes on with Tab to what fits, and looks that the focus shows and lies under nothing on the way.
export async function tab_to(page, selector) {
  for (let i = 0; i < 140; ++i) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate((want) => {
      const one = document.activeElement;
      const at = one.getBoundingClientRect();
      const bar = document.querySelector('.svc-mobile-bar')?.getBoundingClientRect();
      return {
        is: one.matches(want),
        what: one.outerHTML.slice(0, 100),
        shows: one === document.body || one.matches('[type=date]') /* its parts show it */ || getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one.closest('.svc-card') ?? one).outlineStyle !== 'none',
        covered: Boolean(bar?.height) && one !== document.body && !one.closest('.svc-mobile-bar') && (at.top >= innerHeight || (at.top < bar.bottom && Math.min(at.bottom, at.top + 44) > bar.top)), // of a long field its beginning counts
      };
    }, selector);
    if (!now.shows) failures.push(`no focus shows on ${now.what}`);
    if (now.covered) failures.push(`focus under the bar on ${now.what}`);
    if (now.is) return;
  }
  assert.fail(`Tab never came to ${selector}`);
}

// Stripe's script is one of ours: it asks the bank beside us, which moves the stub of Stripe's interface.
export const stripe_stub = `window.Stripe = (key) => ({
  elements: (given) => ({ given, create: () => ({ mount: (place) => { place.innerHTML = '<label>Card <input class="svc-card-field"></label>'; }, on() {} }), submit: async () => ({}) }),
  confirmPayment: async ({ elements }) => {
    const id = elements.given.clientSecret.split('_secret')[0];
    const card = document.querySelector('.svc-card-field').value;
    await window.bank(card.startsWith('4242') ? 'pay' : 'decline', id);
    return card.startsWith('4242') ? { paymentIntent: { id } } : { error: { message: 'Your card was declined.' } };
  },
});`;
