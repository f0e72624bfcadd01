// The admin in Chromium: run by admin_test.py, which starts the server. Words after it name the parts to run.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import zlib from 'node:zlib';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe_source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { BASE, DATABASE, STAFF } = process.env;
const users = JSON.parse(process.env.USERS);
const wanted = process.argv.slice(2);
const api = `${BASE}/svc/v1`;

async function staff(method, path, body) {
  const response = await fetch(api + path, { method, headers: { Authorization: STAFF, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

const document_ = await (await fetch(`${api}/openapi.json`)).json();
const templates = Object.entries(document_.paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));
function route_of(method, url) {
  const path = new URL(url).pathname.slice('/svc/v1'.length) || '/';
  const hits = templates.filter((one) => one.pattern.test(path) && one.methods[method.toLowerCase()]);
  return hits.find((one) => one.path === path) ?? hits[0];
}

const failures = [];
const called = new Set();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

async function opened(role, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.refused = [];
  page.expected = new Set(); // statuses that a test provokes
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) failures.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => failures.push(`page error at ${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${api}/`)) return;
    const route = route_of(request.method(), request.url());
    if (!route) failures.push(`not in OpenAPI: ${request.method()} ${request.url()}`);
    else called.add(`${request.method()} ${route.path}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) page.refused.push(`${response.status()} ${response.request().method()} ${response.url().replace(BASE, '')}`);
  });
  if (role) await sign_in(page, role);
  return page;
}

async function sign_in(page, role) {
  await page.goto(`${BASE}/admin`);
  await page.getByLabel('Login or e-mail').fill(users[role][0]);
  await page.getByLabel('Password').fill(users[role][1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.svc-frame').waitFor();
}

// Goes there within the app and waits until nothing is on its way.
async function go(page, path) {
  await page.goto(`${BASE}${path}`);
  await page.locator('main h1, main [role=alert], .svc-alone h1').first().waitFor();
  await settled(page);
}
async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('.svc-progress, .svc-skeleton, [aria-busy=true]'));
}

async function accessible(page, name) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // The page's own policy allows no foreign script; the debugger is none.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe_source });
    await session.detach();
  }
  const found = await page.evaluate(async () =>
    (await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`),
  );
  if (found.length) failures.push(`axe ${name}: ${found.join('; ')}`);
}

function refuses(page, ...statuses) {
  const odd = page.refused.filter((one) => !statuses.includes(Number(one.slice(0, 3))));
  page.refused = [];
  assert.deepEqual(odd, []);
}

const parts = {};
const part = (name, run) => (parts[name] = run);

part('sign_in', async () => {
  const page = await opened(null);
  await page.goto(`${BASE}/admin/bookings`);
  await page.getByLabel('Login or e-mail').fill(users.administrator[0]);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await accessible(page, 'sign in refused');
  await page.getByLabel('Password').fill(users.administrator[1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  // A reload keeps the session, another tab has it too, and signing out ends it.
  await page.reload();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Forgot the password?' }).click();
  await page.getByLabel('E-mail address').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If this address has an account').waitFor();
  await accessible(page, 'forgot');
  refuses(page, 401, 400, 403);
  await page.context().close();
});

// Every list there is, Pro's modules included, and every screen of its own: shown, sorted, searched, without a fault.
part('lists', async () => {
  const page = await opened('administrator');
  const lists = templates.filter(({ path, methods }) => !path.includes('{') && methods.get?.parameters?.some((one) => one.$ref?.endsWith('/page')) && methods.get['x-permission'].startsWith('svc_') && path !== '/trips/search').map((one) => one.path); // a search needs words
  assert(lists.length > 15);
  for (const path of lists) {
    await go(page, `/admin${path}`);
    assert.equal(await page.locator('main .svc-failure').count(), 0, `${path} fails: ${await page.locator('main .svc-failure').allInnerTexts()}`);
    await accessible(page, path);
    const sort = page.locator('.svc-table th button').first();
    if (await sort.count()) {
      await sort.click();
      await page.waitForURL(/orderby=/);
      await settled(page);
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
  for (const path of ['', '/departures?month=2027-01', '/departures?view=list', '/settings', '/settings?search=currency', '/modules', '/gateways', '/emails', '/booking-form', '/pages', '/self', '/everything', '/first-steps', '/bookings/new', '/trips/new', '/discounts/new', '/nothing-such']) {
    await go(page, `/admin${path}`);
    await accessible(page, path || 'today');
  }
  refuses(page);
  await page.context().close();
});

// What a form needs at least, by its fields' names.
const samples = { '/items': { item_type_id: true }, '/discounts': { discount_mode: 'promo', type: 'percentage', amount: '10', code: 'FACTORY10' }, '/attributes': { type: 'text', field_type: 'text' }, '/customers': { email: 'factory@example.org', first_name: 'Fac', last_name: 'Tory' }, '/traveler-categories': {} };

part('records', async () => {
  const page = await opened('administrator');
  for (const path of ['/destinations', '/activities', '/trip-categories', '/difficulty-levels', '/traveler-categories', '/item-types', '/attributes', '/customers', '/discounts']) {
    await go(page, `/admin${path}/new`);
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.locator('.svc-error').first().waitFor(); // the server's sentence, at its field
    assert((await page.locator('[aria-invalid=true]').count()) > 0, `${path}: no field is marked`);
    await accessible(page, `${path}/new refused`);
    const name = page.getByLabel(/^(Name|Label|Title)\*?$/).first();
    if (await name.count()) await name.fill(`Factory ${path.slice(1)}`);
    for (const [field, value] of Object.entries(samples[path] ?? {})) {
      const label = new RegExp(`^${field.replace(/_id$/, '').replace(/_/g, ' ')}\\*?$`, 'i');
      const control = page.getByLabel(label).first();
      if (!(await control.count())) continue;
      if ((await control.evaluate((one) => one.tagName)) === 'SELECT') await control.selectOption(value).catch(() => undefined);
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
      await accessible(page, `${path} conflict`);
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
  await page.context().close();
});

// A clerk's day, by keyboard and mouse, with what the server stores after each step.
part('clerk', async () => {
  const page = await opened('sales_agent');
  const trip = (await staff('GET', '/trips?search=lisbon'))[0];
  const dates = (await staff('GET', `/trips/${trip.id}/available-dates`)).filter((one) => one.available_capacity > 5);
  assert(dates.length > 2);
  await go(page, '/admin');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'New booking' }).waitFor();
  await page.getByLabel('First name').fill('Grete');
  await page.getByLabel('Last name').fill('Hermann');
  await page.getByLabel('E-mail').fill('grete@example.org');
  await page.getByLabel('Phone').fill('+49 421 555 0101');
  await page.getByLabel('Country').fill('DE');
  await page.getByLabel('Trip').fill('lisbon');
  await page.getByRole('option', { name: /Lisbon/ }).click();
  await page.getByLabel('Date').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'One Adult more' }).click();
  await page.getByRole('row', { name: /^Total/ }).getByText(/USD 90\.00/).waitFor();
  await page.getByLabel('Note for colleagues').fill('Called twice.');
  await accessible(page, 'new booking filled in');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.waitForURL(/\/admin\/bookings\/\d+$/);
  const id = Number(page.url().split('/').pop());
  let booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.customer_name, 'Grete Hermann');
  assert.equal(booking.total, 90);
  assert.equal(booking.internal_notes, 'Called twice.');

  await page.getByRole('button', { name: 'Record a payment' }).click();
  await page.getByLabel('Amount in USD').fill('40');
  await page.getByRole('button', { name: /^Record USD/ }).click();
  await page.getByText('The payment is recorded.').waitFor();
  await page.locator('.svc-figures').getByText('USD 50.00').waitFor();

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move or change the party' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Date').selectOption({ index: 2 });
  await dialog.getByRole('button', { name: 'One Adult more' }).click();
  await dialog.getByRole('row', { name: /^Total/ }).getByText('USD 135.00').waitFor();
  await accessible(page, 'change a booking');
  await dialog.getByRole('button', { name: 'Save the change' }).click();
  await page.getByText('The booking is changed.').waitFor();
  booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.total, 135);
  assert.equal(booking.travelers_count, 3);

  const confirm = page.getByRole('button', { name: 'Confirm', exact: true });
  if (await confirm.count()) {
    await confirm.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send an e-mail again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).first().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('.svc-timeline').getByText(/Payment USD 40/).waitFor();
  await accessible(page, 'a booking');

  // Travelers by name.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit travelers' }).click();
  await page.getByRole('dialog').getByLabel('First name').first().fill('Grete');
  await page.getByRole('dialog').getByLabel('Last name').first().fill('Hermann');
  await accessible(page, 'travelers');
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  refuses(page, 400);
  await page.context().close();

  // The manager refunds a part, reads the manifest, and answers what came in.
  const boss = await opened('administrator');
  await go(boss, `/admin/bookings/${id}`);
  await boss.getByRole('button', { name: /^Refund PAY/ }).click();
  await boss.getByLabel('Amount in USD').fill('15');
  await boss.getByLabel('Reason').fill('Goodwill');
  await boss.getByLabel('The money is returned by hand').check();
  await boss.getByRole('button', { name: 'Refund USD 15.00' }).click();
  await boss.getByText('The refund is on its way.').waitFor();
  booking = await staff('GET', `/bookings/${id}`);
  assert.equal(booking.amount_paid, 25);
  await go(boss, `/admin/departures/${trip.id}/${booking.availability_id}`);
  await boss.getByRole('table').getByText('Grete Hermann').or(boss.getByRole('table').getByText(booking.reference)).first().waitFor();
  await accessible(boss, 'manifest');

  await fetch(`${api}/enquiries`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ customer_name: 'Emmy Noether', customer_email: 'emmy@example.org', message: 'Is the walk steep?', trip_id: trip.id }) });
  await go(boss, '/admin/enquiries');
  await boss.getByRole('link', { name: /Emmy Noether/ }).click();
  await boss.getByLabel('Your answer, sent by e-mail').fill('Uphill at first, with benches.');
  await accessible(boss, 'an enquiry');
  await boss.getByRole('button', { name: 'Send the answer' }).click();
  await boss.getByText('The answer is on its way.').waitFor();
  refuses(boss);
  await boss.context().close();
});

part('trip', async () => {
  const page = await opened('administrator');
  await go(page, '/admin/trips/new');
  await page.getByLabel('Title').first().fill('Factory walk');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/\/admin\/trips\/\d+$/);
  const id = Number(page.url().split('/').pop());
  await settled(page);
  await page.getByText('needs a price').waitFor();
  await page.getByRole('link', { name: /^Prices/ }).click();
  await page.getByLabel('Price in USD', { exact: true }).fill('120');
  await page.getByRole('link', { name: /^Facts/ }).click();
  await page.getByLabel(/^Duration\*?$/).fill('3');
  await page.getByText(/^Changed: /).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/trips/${id}`)).regular_price, 120);
  await page.getByRole('link', { name: /^Itinerary/ }).click();
  for (const title of ['Up', 'Down']) {
    await page.getByRole('button', { name: 'Add a day' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill(title);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.svc-days').getByText(title, { exact: true }).waitFor();
  }
  await accessible(page, 'itinerary');
  await page.getByRole('button', { name: 'Day 2 earlier' }).click();
  await page.waitForFunction(() => /Day 1\s*Down/.test(document.querySelector('.svc-days')?.textContent ?? ''));
  await page.getByRole('link', { name: /^Dates/ }).click();
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByRole('dialog').getByText(/^\d+ dates?/).waitFor();
  await accessible(page, 'a rule');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The rule is saved.').waitFor();
  // Leaving with changes asks first.
  await page.getByRole('link', { name: /^Texts/ }).click();
  await page.getByLabel('Summary').fill('A walk');
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.message();
    void dialog.dismiss();
  });
  await page.locator('.svc-rail').getByRole('link', { name: 'Destinations' }).click();
  assert.match(asked, /not saved/);
  assert.match(page.url(), /trips/);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByText('Saved.').first().waitFor();
  refuses(page);
  await page.context().close();
});

part('session', async () => {
  const page = await opened('administrator');
  await go(page, '/admin/destinations/new');
  await page.getByLabel(/^Name\*?$/).first().fill('Typed before the session ended');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await accessible(page, 'signing in over a page');
  await dialog.getByLabel('Password').fill(users.administrator[1]);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/destinations\/\d+$/);
  const id = page.url().split('/').pop();
  assert.equal((await staff('GET', `/destinations/${id}`)).name, 'Typed before the session ended');
  refuses(page, 401);
  // A setting changed here shows at once; my sessions can be ended.
  await go(page, '/admin/settings?search=company_name');
  await page.getByLabel('Company name').fill('Pfad & Berg');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.svc-brand').getByText('Pfad & Berg').waitFor();
  await go(page, '/admin/settings?changed=1');
  await page.getByLabel('Company name').waitFor();
  await go(page, '/admin/self');
  await page.getByText('this one').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('gatew');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gateways', level: 1 }).waitFor();
  refuses(page);
  await page.context().close();
});

// Each role sees what it may use: no link of its rail is refused.
part('roles', async () => {
  const seen = {};
  for (const role of Object.keys(users).filter((one) => one !== 'administrator')) {
    const page = await opened(role);
    await settled(page);
    const areas = await page.locator('.svc-rail .svc-area-head').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const links = new Set(areas);
    for (const href of areas) {
      await go(page, href);
      for (const inner of await page.locator('.svc-rail ul a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))) links.add(inner);
    }
    for (const href of links) if (!areas.includes(href)) await go(page, href);
    seen[role] = links.size;
    refuses(page, 400);
    await page.context().close();
  }
  assert(seen.guide < seen.manager, JSON.stringify(seen));
});

part('phone', async () => {
  const page = await opened('administrator', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  const [booking] = await staff('GET', '/bookings?per_page=1');
  for (const path of ['', '/bookings', `/bookings/${booking.id}`, `/departures/${booking.trip_id}/${booking.availability_id}`, '/departures', `/trips/${booking.trip_id}`, '/settings', '/bookings/new']) {
    await go(page, `/admin${path}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) failures.push(`${path || 'today'} is ${wide} px wider than a phone`);
    await accessible(page, `${path || 'today'} on a phone, dark`);
  }
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.locator('.svc-rail').getByRole('link', { name: 'Bookings' }).first().click();
  await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
  refuses(page);
  await page.context().close();
});

part('sizes', async () => {
  const html = await (await fetch(`${BASE}/admin`)).text();
  const gzip = async (path) => zlib.gzipSync(Buffer.from(await (await fetch(BASE + path)).arrayBuffer()), { level: 9 }).length;
  const script = /src="([^"]+admin\.[0-9a-f]+\.js)"/.exec(html)[1];
  const style = /href="([^"]+admin\.[0-9a-f]+\.css)"/.exec(html)[1];
  const folder = script.slice(0, script.lastIndexOf('/') + 1);
  const text = async (path) => (await fetch(BASE + path)).text();
  // What is imported without being asked for, and by it.
  const needed = new Set();
  const follow = async (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const [, name] of (await text(path)).matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) await follow(new URL(name, BASE + path).pathname);
  };
  await follow(script);
  let first = 0;
  for (const path of needed) first += await gzip(path);
  const css = await gzip(style);
  let largest = ['', 0];
  const lazy = [...new Set([...(await text(script)).matchAll(/import\("(\.[^"]+)"\)/g)].map((one) => new URL(one[1], BASE + folder).pathname))];
  for (const path of lazy) {
    const before = new Set(needed);
    await follow(path);
    let size = 0;
    for (const each of needed) if (!before.has(each)) size += await gzip(each);
    if (size > largest[1]) largest = [path, size];
    needed.clear();
    for (const each of before) needed.add(each);
  }
  console.log(`sizes (gzip): first load ${first}, largest screen ${largest[1]} more (${largest[0]}), CSS ${css}`);
  assert(first <= 55 * 1024, `first load ${first}`);
  assert(first + largest[1] <= 120 * 1024, `largest screen ${largest}`);
  assert(css <= 20 * 1024, `CSS ${css}`);
});

const quick = DATABASE === 'postgres' ? ['clerk'] : Object.keys(parts);
for (const name of wanted.length ? wanted : quick) {
  const began = Date.now();
  try {
    await parts[name]();
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
  console.log(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
await browser.close();
console.log(`${called.size} routes were called`);
for (const one of new Set(failures)) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
