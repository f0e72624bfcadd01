// A clerk's buttons beside the records themselves: feeds, copies, duplicates, templates, links to pay.
import assert from 'node:assert/strict';

import { BASE, accessible, api, go, opened, refuses, settled, staff, sql } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function dates_again() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Repeated walk', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const departure = await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(20), max_capacity: 8 });
  await go(page, `/admin/departures/${trip.id}/${departure.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Repeat on another day' }).click();
  await page.getByRole('dialog').getByLabel(/^Departure date/).fill(ahead(27));
  await accessible(page, 'a departure repeated', { contrast: false });
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const all = await staff('GET', `/trips/${trip.id}/departures`);
  assert.deepEqual(all.map((one) => [one.start_date, one.max_capacity]).sort(), [[ahead(20), 8], [ahead(27), 8]]);
  // A rule's copy sells nothing before somebody turns it on.
  await staff('POST', '/recurring-availability', { trip_id: trip.id, rule_type: 'weekly', days_of_week: [6], start_date: ahead(40), seats_total: 8, status: 'active' });
  await go(page, `/admin/trips/${trip.id}/dates`);
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
  await page.getByText('Duplicated; the copy is inactive.').waitFor();
  const rules = await staff('GET', `/recurring-availability?trip_id=${trip.id}`);
  assert.deepEqual(rules.map((one) => one.status).sort(), ['active', 'inactive']);
  // The feed of this trip's departures: on, read by whoever has the address, off.
  await go(page, `/admin/departures?trip=${trip.id}`);
  await page.getByRole('button', { name: 'Calendar feed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar feed of this trip' });
  await dialog.getByText('It is off.').waitFor();
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  const url = await dialog.getByLabel('Address').inputValue();
  await accessible(page, 'a calendar feed', { contrast: false });
  assert.match(await (await fetch(url)).text(), /BEGIN:VCALENDAR[\s\S]*Repeated walk/);
  await dialog.getByRole('button', { name: 'Turn it off' }).click();
  await dialog.getByText('It is off.').waitFor();
  assert.equal((await fetch(url)).status, 404);
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.done();
}

export async function duplicates() {
  const page = await opened('administrator');
  const [first, second] = [await staff('POST', '/customers', { first_name: 'Sonya', last_name: 'Kovalevskaya', email: 'sonya@example.org', phone: '+46 8 555 0777' }), await staff('POST', '/customers', { first_name: 'Sofia', last_name: 'Kovalevskaya', email: 'sofia@example.org', phone: '+46 8 555 0777' })];
  await go(page, '/admin/customers/duplicates');
  await page.getByRole('heading', { name: 'Same telephone' }).first().waitFor();
  await accessible(page, 'possible duplicates');
  // On a phone the button stands below the name, which is not torn apart.
  await page.setViewportSize({ width: 360, height: 740 });
  const button = page.getByRole('button', { name: /^Merge so.*@example\.org into so/ });
  const link = await page.locator('li', { has: button }).getByRole('link').boundingBox();
  assert(link.width > 250 && (await button.boundingBox()).y >= link.y + link.height, JSON.stringify(link));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: /^Merge so.*@example\.org into so/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Moves /).waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.waitForURL(/\/admin\/customers\/\d+$/);
  const left = (await staff('GET', '/customers?search=kovalevskaya')).map((one) => one.id);
  assert.equal(left.length, 1, `${left} of ${first.id}, ${second.id}`);
  refuses(page);
  await page.done();
}

// One of the two has an account, whose holder will see the other's data: staff say that they have made sure.
export async function merge_with_an_account() {
  const page = await opened('administrator');
  const [holder, other] = [await staff('POST', '/customers', { first_name: 'Emmy', last_name: 'Holder', email: 'holder@example.org' }), await staff('POST', '/customers', { first_name: 'Emmy', last_name: 'Other', email: 'other.emmy@example.org', phone: '+49 30 555 0188' })];
  await sql(`UPDATE svc_customers SET user_id = (SELECT id FROM svc_users WHERE login = 'guide') WHERE id = ${holder.id}`);
  await go(page, `/admin/customers/${other.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Merge into another' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Into').fill('holder@example.org');
  await dialog.getByRole('option', { name: /Holder/ }).click();
  await dialog.getByText(/will see the data of other\.emmy@example\.org/).waitFor();
  await accessible(page, 'merging with an account');
  const button = dialog.getByRole('button', { name: 'Merge', exact: true });
  assert(await button.isDisabled());
  await dialog.getByRole('switch', { name: /are one person/ }).check();
  await button.click();
  await page.waitForURL(new RegExp(`/admin/customers/${holder.id}$`));
  await page.getByText('Also other.emmy@example.org').waitFor();
  await sql(`UPDATE svc_customers SET user_id = NULL WHERE id = ${holder.id}`);
  refuses(page);
  await page.done();
}

export async function page_templates() {
  const page = await opened('administrator');
  await go(page, '/admin/templates');
  await page.getByRole('button', { name: 'Edit Single Trip' }).click();
  const field = page.getByLabel('HTML around the page');
  const before = await field.inputValue();
  await field.fill('<p>no page inside</p>');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog .svc-error, dialog .svc-notice').first().waitFor(); // refused, and still there
  await field.fill(`<p>Call us at any time.</p>${before}`);
  await accessible(page, 'a template');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [trip] = await staff('GET', '/trips?search=lisbon');
  const shown = async () => /Call us at any time/.test(await (await fetch(`${BASE}/trip/${trip.slug}`)).text());
  assert(await shown(), 'visitors see it');
  await page.getByRole('button', { name: 'Reset Single Trip' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('button', { name: 'Reset Single Trip' }).waitFor({ state: 'detached' });
  assert(!(await shown()));
  refuses(page, 400);
  await page.done();
}

export async function balances() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Paid walk', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(30), max_capacity: 8 });
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(30), travelers_count: 1, contact_first_name: 'Mary', contact_last_name: 'Cartwright', contact_email: 'mary@example.org', status: 'confirmed' });
  await go(page, `/admin/bookings/${booking.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Charge a saved card' }).click();
  await page.getByText('This customer has saved no card that is still valid.').waitFor();
  await accessible(page, 'charging a card', { contrast: false });
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send a link to pay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('The link is on its way.').waitFor();
  await settled(page);
  assert.equal((await staff('GET', `/scheduled-payments?search=${booking.reference}`)).length, 1);
  await page.getByRole('heading', { name: 'Scheduled payments' }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send a link to pay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('dialog').locator('.svc-notice').waitFor(); // once a booking: the server says so
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  // Called off, it is not charged, and the amount stays due.
  await page.getByRole('button', { name: 'Call off' }).click();
  const asked = page.getByRole('dialog', { name: 'Call off this payment?' });
  await asked.getByText(/^USD 40\.00 on .* is not charged; the amount stays due\.$/).waitFor();
  await accessible(page, 'calling a payment off', { contrast: false });
  await asked.getByRole('button', { name: 'Call off' }).click();
  await asked.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Call off' }).waitFor({ state: 'detached' });
  await settled(page);
  assert.equal((await staff('GET', `/scheduled-payments?search=${booking.reference}`))[0].status, 'cancelled');
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).amount_due, 40);
  refuses(page, 400, 409);
  await page.done();
}

// The interface's own pages: grouped, searched, copied from, tried.
export async function documentation() {
  const page = await opened('administrator', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${BASE}/docs`);
  assert((await page.locator('main section h2').count()) > 15, 'groups');
  await page.getByText(/^Routes are tried as boss/).waitFor();
  // Where a link leads to begins right below the header, which is as high at every width.
  for (const width of [1280, 820, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.locator('nav a[href="#trips"]').click();
    const [top, above] = await page.evaluate(() => ['#trips', 'header'].map((one) => document.querySelector(one).getBoundingClientRect()).map((one, i) => (i ? Math.max(0, one.bottom) : one.top)));
    assert(top >= above && top - above < 40, `${width}: the group begins at ${top}, the header ends at ${above}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.keyboard.press('/');
  await page.keyboard.type('difficulty-levels stats');
  await page.getByText(/^1 of \d+ routes$/).waitFor();
  assert.match((await page.locator('nav a:visible').allTextContents()).join(), /^difficulty-levels\d+$/); // no group without a hit
  const article = page.locator('article[data-path]:not([hidden])');
  await article.getByRole('button', { name: 'Copy' }).click();
  await article.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await article.locator('> pre').innerText());
  await article.getByRole('button', { name: 'Try it' }).click();
  await article.getByRole('button', { name: 'Send GET' }).click();
  await article.locator('.try pre').getByText(/^200 [\s\S]*"data"/).waitFor();
  await accessible(page, 'documentation of the interface', { contrast: false });
  refuses(page);
  await page.done();
}

// A module's contributions to GET /admin/start: its scripts, style sheets and data, and the wizard's place.
export async function modules_bring() {
  const page = await opened('administrator', {});
  const asset = (type, body) => (route) => route.fulfill({ contentType: type, body });
  await page.route('**/files/module.js', asset('text/javascript', 'document.documentElement.dataset.module = window.svc_admin.greeting;'));
  await page.route('**/files/module.css', asset('text/css', ':root { --module: 7; }'));
  const start = (wizard) => async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    return route.fulfill({ response, json: { ...answer, data: { setup_wizard: wizard, data: { greeting: 'Good morning' }, module_assets: { some: ['/files/module.css', '/files/module.js'] } } } });
  };
  await page.route(`${api}/admin/start`, start(true));
  await page.goto(`${BASE}/admin`);
  await page.locator('html[data-module="Good morning"]').waitFor();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue('--module').trim() === '7');
  await page.locator('main a[href="/admin/first-steps"]').first().waitFor();
  await page.unroute(`${api}/admin/start`);
  await page.route(`${api}/admin/start`, start(false));
  await page.reload();
  await page.locator('html[data-module="Good morning"]').waitFor();
  assert.equal(await page.locator('main a[href="/admin/first-steps"]').count(), 0);
  refuses(page);
  await page.done();
}
