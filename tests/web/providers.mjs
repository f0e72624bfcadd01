// Scripts of providers in Chromium: run by providers_test.py, which starts the server and the stubs.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const { BASE, SLUG, TRIP, STAFF, PROVIDERS } = process.env;
const failures = [];

async function staff(method, path, body) {
  const headers = { Authorization: STAFF, 'Content-Type': 'application/json' };
  const answer = await fetch(`${BASE}/svc/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const told = await answer.json();
  assert(answer.ok, `${method} ${path}: ${JSON.stringify(told)}`);
  return told;
}
const set = (values) => staff('PUT', '/settings', values);
const total = async (path) => (await staff('GET', path)).meta.total;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
async function opened(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => failures.push(`page error at ${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) failures.push(`policy at ${page.url()}: ${message.text()}`);
  });
  return page;
}
const details = {
  contact_first_name: 'Ada', contact_last_name: 'Lovelace', contact_email: 'ada@example.org', contact_phone: '+44 20 7946 0001', contact_country: 'GB',
  emergency_name: 'Annabella', emergency_phone: '+44 20 7946 0002', 'travelers.1.date_of_birth': '1990-12-10', 'travelers.1.gender': 'female', 'travelers.1.nationality': 'British',
};
async function at_pay(page) {
  await page.goto(`${BASE}/trip/${SLUG}`);
  const date = (await (await fetch(`${BASE}/svc/v1/trips/${TRIP}/available-dates`)).json()).data[0].date;
  await page.goto(`${BASE}/book/${SLUG}?date=${date}&travelers=1`);
  await page.getByRole('button', { name: 'Continue to your details' }).click();
  for (const [name, value] of Object.entries(details)) {
    const field = page.locator(`[name="${name}"]`);
    if (!(await field.count())) continue;
    if (await field.evaluate((one) => one.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
}
const failed = (page) => page.getByRole('alert').getByText('The reCAPTCHA check failed. Please try again.');

const parts = {
  async 'an enquiry is sent with a token of its own each time'() {
    await set({ recaptcha_enabled: true, recaptcha_protect_enquiry: true });
    const page = await opened();
    await page.goto(`${BASE}/trip/${SLUG}/enquiry`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Your question').fill('Is it warm?');
    await page.evaluate(() => (window.robot = true));
    await page.getByRole('button', { name: 'Send' }).click();
    await failed(page).waitFor();
    assert.equal(await page.getByLabel('Your question').inputValue(), 'Is it warm?');
    assert.equal(await total('/enquiries'), 0);
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await page.getByRole('heading', { name: 'Thank you, we have your question' }).waitFor();
    assert.equal(await total('/enquiries'), 1);
    await page.context().close();
  },
  async 'an account is registered with a token'() {
    await set({ recaptcha_protect_registration: true });
    const page = await opened();
    await page.goto(`${BASE}/account/register`);
    for (const [label, value] of [['First name', 'Ada'], ['E-mail', 'ada@example.org']])
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await page.context().close();
  },
  async 'a trip is booked with a token, once, and again after one that is refused'() {
    await set({ recaptcha_protect_booking: true });
    const page = await opened();
    await at_pay(page);
    await page.getByLabel('Anything we should know?').fill('By the window');
    await page.locator('input[value=pay_later]').check();
    await page.evaluate(() => (window.unable = true));
    await page.getByRole('button', { name: /^Book for/ }).click();
    await failed(page).waitFor();
    assert.equal(await page.getByLabel('Anything we should know?').inputValue(), 'By the window');
    if (process.env.PICTURE) await page.screenshot({ path: `${process.env.PICTURE}-refused.png`, fullPage: true });
    assert.equal(await total('/bookings'), 0);
    await page.getByRole('button', { name: /^Book for/ }).dblclick();
    await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
    assert.equal(await total('/bookings'), 1);
    // The last step, looked at once more: the booking that there is.
    const address = page.url();
    await page.goto(`${BASE}/book/${SLUG}/pay`);
    assert.equal(page.url(), address);
    assert.equal(await total('/bookings'), 1);
    await page.context().close();
  },
  async 'a provider that cannot be reached keeps nobody waiting: the form says so'() {
    const page = await opened();
    await page.route('**/api.js*', (route) => route.abort());
    await page.goto(`${BASE}/trip/${SLUG}/enquiry`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Your question').fill('And now?');
    await page.getByRole('button', { name: 'Send' }).click();
    await failed(page).waitFor();
    assert.equal(await page.getByLabel('Your question').inputValue(), 'And now?');
    await page.context().close();
  },
  async 'without scripts a protected form says what it needs'() {
    const page = await opened({ javaScriptEnabled: false });
    await page.goto(`${BASE}/trip/${SLUG}/enquiry`);
    // Chromium lays out <noscript> by its settings, not by what a test forbids.
    assert.match((await page.locator('form noscript').textContent()) ?? '', /This form is protected against robots and needs JavaScript\./);
    await page.context().close();
    await set({ recaptcha_enabled: false });
  },
  // Razorpay's script is one of ours: its window asks the stub beside us.
  async 'a booking is paid in the window of Razorpay'() {
    const page = await opened();
    await page.exposeFunction('authorize', async (order) => (await fetch(`${PROVIDERS}/authorize/${order}`)).json());
    await page.route('https://checkout.razorpay.com/v1/checkout.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.Razorpay = class {
          constructor(options) { this.options = options; this.heard = {}; window.given = { ...options, handler: undefined, modal: undefined }; }
          on(what, run) { this.heard[what] = run; }
          async open() {
            window.opened = (window.opened ?? 0) + 1;
            if (window.opened === 1) { this.heard['payment.failed']({ error: { description: 'Your bank said no.' } }); return this.options.modal.ondismiss(); }
            this.options.handler(await window.authorize(this.options.order_id));
          }
        };`,
      }),
    );
    await at_pay(page);
    await page.locator('input[value=razorpay]').check();
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.locator('#pay').waitFor();
    const pay = page.getByRole('button', { name: /^Pay USD/ });
    await pay.click();
    await page.getByRole('alert').getByText('Your bank said no.').waitFor();
    const given = await page.evaluate(() => window.given);
    assert.deepEqual([given.key, given.amount, given.currency], ['rzp_test_1', 20000, 'USD'], JSON.stringify(given));
    assert.match(given.order_id, /^order_/);
    if (process.env.PICTURE) await page.screenshot({ path: `${process.env.PICTURE}-razorpay.png`, fullPage: true });
    await pay.click();
    await page.getByRole('heading', { name: 'Your trip is booked' }).waitFor();
    assert.equal(await page.locator('#pay').count(), 0);
    await page.context().close();
  },
};

for (const [name, run] of Object.entries(parts)) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue;
  const began = Date.now();
  try {
    await run();
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
  console.log(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
await browser.close();
for (const one of new Set(failures)) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
