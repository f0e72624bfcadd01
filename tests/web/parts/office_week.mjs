// What an office does in its first week: e-mails written, a typo in an address corrected, a draft looked at, a guide chosen,
// prices typed as its language writes them, many entries changed at once, notices followed.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { BASE, STAFF, accessible, api, go, opened, refuses, settled, sql, staff, users } from '../support.mjs';

// From signing in until the first screen is complete; the rail's numbers come with it.
export async function few_calls_to_start() {
  const page = await opened(null);
  await page.goto(`${BASE}/admin`);
  await page.getByLabel('Login or e-mail').fill(users.administrator[0]);
  await page.getByLabel('Password').fill(users.administrator[1]);
  const asked = [];
  page.on('request', (request) => new URL(request.url()).pathname.startsWith('/svc/v1/') && request.resourceType() !== 'image' && asked.push(`${request.method()} ${request.url().replace(BASE, '')}`));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();
  await settled(page);
  await page.locator('.svc-rows li').first().waitFor();
  await page.waitForTimeout(4000); // what is asked later, such as the rail's numbers
  assert(asked.length <= 6, asked.join('\n'));
  await page.done();
}

// Every e-mail opens, is previewed, has tags, and is sent to whoever writes it.
export async function every_mail() {
  const page = await opened('administrator');
  await go(page, '/admin/emails');
  const edits = page.getByRole('button', { name: /^Edit / });
  const all = await staff('GET', '/email-template-catalog');
  assert.equal(await edits.count(), all.length);
  for (let at = 0; at < all.length; at += 1) {
    const name = await edits.nth(at).getAttribute('aria-label');
    const previewed = page.waitForResponse((response) => response.url().endsWith('/email-template-preview'));
    await edits.nth(at).click();
    const dialog = page.getByRole('dialog');
    assert.equal((await previewed).status(), 200, name);
    await dialog.locator('iframe.svc-preview').waitFor();
    assert((await dialog.locator('.svc-chips button').count()) > 3, `${name} has no tags`);
    if (at === 0) {
      // There is no mail server here, and the clerk is told so.
      await dialog.getByRole('button', { name: /^Send it to / }).click();
      await page.locator('.svc-toasts').getByText(/No mail server is set/).waitFor();
      await accessible(page, 'an e-mail', { contrast: false });
    }
    await dialog.getByRole('button', { name: 'Back', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  // The same button's call is answered for each of the others, too: its texts are made before it could be sent.
  for (const { key } of all) {
    const tried = await fetch(`${api}/email-template-test`, { method: 'POST', headers: { Authorization: STAFF, 'Content-Type': 'application/json' }, body: JSON.stringify({ template_key: key }) });
    assert.equal(tried.status, 200, `${key}: ${await tried.text()}`);
  }
  refuses(page);
  await page.done();
}

async function sold(title, days) {
  const trip = await staff('POST', '/trips', { title, summary: 'A day out.', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(days), max_capacity: 8 });
  return trip;
}
const book = (trip, days, email, more = {}) => staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(days), travelers_count: 1, contact_first_name: 'Mary', contact_last_name: 'Somerville', contact_email: email, status: 'confirmed', ...more });

// A typo in an address taken by phone: corrected, the confirmation goes to the right one, and the history names both.
export async function a_contact_corrected() {
  const page = await opened('administrator');
  const trip = await sold('Walk with a typo', 31);
  const booking = await book(trip, 31, 'mary@exmaple.org');
  await go(page, `/admin/bookings/${booking.id}`);
  await page.getByRole('button', { name: 'Edit the contact' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('mary.somerville@example.org');
  await dialog.getByLabel('Phone').first().fill('+44 20 7946 0101');
  await dialog.getByLabel('Wishes').fill('A seat by the window');
  await accessible(page, 'a contact', { contrast: false });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Send the confirmation again?' }).getByRole('button', { name: 'Send it to mary.somerville@example.org' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const now = await staff('GET', `/bookings/${booking.id}`);
  assert.deepEqual([now.customer_email, now.customer_phone, now.special_requests], ['mary.somerville@example.org', '+44 20 7946 0101', 'A seat by the window']);
  const history = await staff('GET', `/bookings/${booking.id}/history`);
  assert(history.some((one) => one.kind === 'email' && one.detail.includes('mary.somerville@example.org')), JSON.stringify(history));
  const timeline = page.locator('.svc-timeline');
  await timeline.getByText('Email: mary@exmaple.org → mary.somerville@example.org').waitFor();
  await timeline.getByText(/by boss/).first().waitFor();
  // Without a new address nothing is asked.
  await page.getByRole('button', { name: 'Edit the contact' }).click();
  await dialog.getByLabel('Phone').first().fill('+44 20 7946 0102');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Date, party and price, by whom; the list can be narrowed to them.
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(32), max_capacity: 8 });
  await staff('PUT', `/bookings/${booking.id}`, { travel_date: ahead(32), travelers_count: 2, recalculate: true });
  await go(page, '/admin');
  await go(page, `/admin/bookings/${booking.id}`);
  await page.getByLabel('Show').selectOption('price');
  await timeline.getByText('Total: USD 40.00 → USD 80.00').waitFor();
  await page.getByLabel('Show').selectOption('party');
  await timeline.getByText('Travelers count: 1 → 2').waitFor();
  refuses(page);
  await page.done();
}

// A draft is seen as visitors will see it, with its status on top, by staff alone.
export async function a_draft_looked_at() {
  const page = await opened('administrator');
  const trip = await staff('POST', '/trips', { title: 'Elbe by canoe', summary: 'Slow water.', regular_price: 90, duration: 2 });
  await go(page, `/admin/trips/${trip.id}`);
  const [seen] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'As a visitor' }).click()]);
  await seen.getByRole('heading', { name: 'Elbe by canoe', level: 1 }).waitFor();
  await seen.getByRole('status').getByText('Draft', { exact: true }).waitFor();
  const address = seen.url();
  await seen.close();
  assert.equal((await fetch(address)).status, 404, 'visitors do not see it');
  await staff('DELETE', `/trips/${trip.id}`);
  refuses(page);
  await page.done();
}

// A guide is chosen for a new date, for one that is there, and for a rule, and sees what is theirs, without sums.
export async function guides_chosen() {
  const page = await opened('administrator');
  const guide = (await staff('GET', '/departures/guides'))[0];
  const trip = await sold('Guided walk', 1);
  const [departure] = await staff('GET', `/trips/${trip.id}/departures`);
  await book(trip, 1, 'guided@example.org', { amount_paid: 40 });
  await go(page, `/admin/departures/${trip.id}/${departure.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Guide').selectOption(String(guide.id));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/trips/${trip.id}/departures/${departure.id}`)).guide_user_id, guide.id);
  await page.locator('.svc-facts').getByText(guide.name, { exact: true }).waitFor();
  await go(page, `/admin/trips/${trip.id}/dates`);
  await page.getByRole('button', { name: 'New date' }).click();
  await dialog.getByLabel(/^Departure date/).fill(ahead(14));
  await dialog.getByLabel('Guide').selectOption(String(guide.id));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New rule' }).click();
  await dialog.getByLabel('Guide').selectOption(String(guide.id));
  await accessible(page, 'a rule with a guide', { contrast: false });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/recurring-availability?trip_id=${trip.id}`))[0].guide_user_id, guide.id);
  assert.deepEqual((await staff('GET', `/trips/${trip.id}/departures`)).map((one) => one.guide_user_id), [guide.id, guide.id]);
  refuses(page);
  await page.done();
  // The guide's own Today, manifest and list.
  const own = await opened('guide', {});
  await own.getByRole('link', { name: /Guided walk/ }).first().waitFor();
  await go(own, `/admin/departures/${trip.id}/${departure.id}`);
  await own.getByText('Mary Somerville').first().waitFor();
  for (const path of ['', `/departures/${trip.id}/${departure.id}`, '/departures?view=list']) {
    await go(own, `/admin${path}`);
    assert.equal(await own.getByText(/Revenue|Money in/).count(), 0, path);
  }
  refuses(own);
  await own.done();
  await staff('PUT', `/trips/${trip.id}`, { status: 'draft' });
}

// Amounts as the admin's language writes them; what is typed one key after another stays as it is typed.
export async function amounts_in_german() {
  const trip = await staff('POST', '/trips', { title: 'Preis mit Komma', regular_price: 40, duration: 1 });
  for (const [language, label, typed, price, save] of [['de', /^Preis in USD/, '12,50', 12.5, 'Speichern'], ['de', /^Preis in USD/, '1.299,05', 1299.05, 'Speichern'], ['en', /^Price in USD/, '12.05', 12.05, 'Save']]) {
    const page = await opened('administrator', { language });
    await go(page, `/admin/trips/${trip.id}/prices`);
    const field = page.getByLabel(label);
    await field.fill('');
    await field.pressSequentially(typed);
    assert.equal(await field.inputValue(), typed);
    await page.getByRole('button', { name: save, exact: true }).first().click();
    await page.locator('.svc-savebar').waitFor({ state: 'detached' });
    await settled(page);
    assert.equal((await staff('GET', `/trips/${trip.id}`)).regular_price, price);
    refuses(page);
    await page.done();
  }
  await staff('DELETE', `/trips/${trip.id}`);
}

// More entries than a page: all that the filters find are chosen and changed, in parts, with their number shown.
export async function all_that_match() {
  const names = Array.from({ length: 130 }, (_, at) => `Bulk ${at}`);
  for (let at = 0; at < names.length; at += 10) await Promise.all(names.slice(at, at + 10).map((one, index) => staff('POST', '/customers', { first_name: one, last_name: 'Chosen', email: `bulk${at + index}@example.org` })));
  const page = await opened('administrator');
  await go(page, '/admin/customers?search=chosen');
  await page.getByText(/^1 to 25 of 130$/).waitFor();
  // A count is a number, not money.
  const heads = await page.locator('thead th').allInnerTexts();
  assert.equal((await page.locator('tbody tr').first().locator('td').nth(heads.findIndex((one) => one.trim() === 'Bookings')).innerText()).trim(), '0');
  await page.getByRole('checkbox', { name: 'Choose all' }).check();
  const bar = page.getByRole('region', { name: 'Chosen entries' });
  await bar.getByText('25 entries').waitFor();
  await bar.getByRole('button', { name: 'Choose all 130' }).click();
  await bar.getByText('130 entries').waitFor();
  const sent = [];
  page.on('request', (request) => request.url().endsWith('/customers/bulk') && sent.push(request.postDataJSON().ids.length));
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/all that the search and the filters find/).waitFor();
  await accessible(page, 'all that match', { contrast: false });
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent, [100, 30]);
  const left = await (await fetch(`${BASE}/svc/v1/customers?search=chosen&status=active`, { headers: { Authorization: process.env.STAFF } })).json();
  assert.equal(left.meta.total, 0);
  refuses(page);
  await page.done();
}

// The server's notices lead to screens that there are.
export async function notices_followed() {
  const [booking] = await staff('GET', '/bookings?per_page=1');
  const now = Date.now() * 1000;
  await sql(`INSERT INTO svc_email_outbox (template_key, event_key, to_email, subject, status, next_attempt_at, created_at, updated_at) VALUES ('t', 'e', 'a@example.org', 's', 'failed', 0, ${now}, ${now})`);
  await sql(`INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency, status, reconciliation, ask_at, expires_at, created_at, updated_at) VALUES (${booking.id}, 'none', 'notice', 'checkout', 100, 'USD', 'processing', 'review', ${now * 2}, ${now * 2}, ${now}, ${now})`);
  const page = await opened('administrator');
  const links = (await staff('GET', '/notices')).flatMap((one) => one.actions.map((action) => action.url));
  assert(links.length >= 3, links.join());
  for (const url of new Set(links)) {
    await go(page, '/admin');
    await page.locator(`main a.svc-button[href="${url}"]`).first().click();
    await page.waitForURL(`${BASE}${url}`);
    await settled(page);
    const heading = await page.locator('main h1').innerText();
    assert(!/Not found|Not for this role|Today/.test(heading), `${url}: ${heading}`);
  }
  await sql(`DELETE FROM svc_payment_intents WHERE call_key = 'notice'`);
  refuses(page);
  await page.done();
}

// Fields of the operator's own: listed in the settings, filled in at a customer, named where they do not fit.
export async function customer_fields() {
  const page = await opened('administrator');
  const customer = await staff('POST', '/customers', { first_name: 'Mary', last_name: 'Anning', email: 'anning@example.org' });
  await go(page, '/admin/settings?group=customer');
  const list = page.getByRole('group', { name: 'Customer fields' });
  await list.getByRole('button', { name: 'Add' }).click();
  await list.getByLabel('Label').fill('Shoe size');
  await list.getByLabel('Type').selectOption('number');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved. The site shows it at once.').waitFor();
  await go(page, `/admin/customers/${customer.id}`);
  await page.getByLabel('Shoe size').fill('big');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.locator('.svc-invalid').getByText('Enter a number.').waitFor();
  await page.getByLabel('Shoe size').fill('41');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  assert.deepEqual((await staff('GET', `/customers/${customer.id}`)).fields, { shoe_size: '41' });
  refuses(page, 400); // the one that did not fit
  await page.done();
}
