// Buttons that no other part presses, each once, with what the server holds afterwards.
import assert from 'node:assert/strict';

import { ahead } from '../filled.mjs';
import { session_of } from '../session.mjs';
import { BASE, accessible, api, go, opened, refuses, settled, staff, users } from '../support.mjs';

const more = async (page, name) => {
  await page.locator('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};
const confirm = async (page, name) => {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
};

export async function my_keys() {
  const page = await opened('owner', {});
  const there = await session_of(api, ...users.owner, { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' });
  assert.equal(there.status, 200);
  const cookie = there.cookies.map((pair) => pair.join('=')).join('; ');
  const nonce = there.data.nonce;
  const elsewhere = () => fetch(`${api}/auth/sessions`, { headers: { Cookie: cookie, 'X-Host-Nonce': nonce } });
  assert.equal((await elsewhere()).status, 200);
  await go(page, '/admin/self');
  await page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' }).getByRole('button', { name: 'End' }).click();
  await page.getByText('The session is ended.').waitFor();
  assert.equal((await elsewhere()).status, 401);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('What it is for').fill('The till');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const secret = await page.locator('.svc-secret').innerText();
  const by_key = () => fetch(`${api}/bookings?per_page=1`, { headers: { Authorization: `Basic ${Buffer.from(`${users.owner[0]}:${secret}`).toString('base64')}` } });
  assert.equal((await by_key()).status, 200);
  await accessible(page, 'an application password', { contrast: false });
  await confirm(page, 'Done');
  await page.getByRole('listitem').filter({ hasText: 'The till' }).getByRole('button', { name: 'Revoke' }).click();
  await confirm(page, 'Revoke');
  assert.equal((await by_key()).status, 401);
  // A wrong present password is said at its field, and what was typed stays.
  await page.getByLabel('Present password').fill('wrong');
  await page.getByLabel('New password').fill('correct horse battery staple 9');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.locator('.svc-error, .svc-notice.svc-bad').first().waitFor();
  assert.equal(await page.getByLabel('New password').inputValue(), 'correct horse battery staple 9');
  refuses(page, 400, 401, 403);
  await page.done();
}

export async function put_away_and_back() {
  const page = await opened('administrator', {});
  const trip = await staff('POST', '/trips', { title: 'Walk that comes and goes', summary: 'First', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('PUT', `/trips/${trip.id}`, { title: 'Walk under another name' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(39), max_capacity: 8 });
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(39), travelers_count: 1, contact_first_name: 'Ada', contact_last_name: 'King', contact_email: 'king@example.org' });
  const status_of = async (path) => (await staff('GET', path)).status;
  // A booking goes to the trash and comes back.
  await go(page, `/admin/bookings/${booking.id}`);
  await more(page, 'Move to the trash');
  await confirm(page, 'Move to the trash');
  assert.equal(await status_of(`/bookings/${booking.id}`), 'trash');
  await go(page, `/admin/bookings/${booking.id}`);
  await more(page, 'Restore from the trash');
  await page.getByText('Restored.').first().waitFor();
  assert.notEqual(await status_of(`/bookings/${booking.id}`), 'trash');
  // A payment that is expected comes in; one that was a mistake is deleted.
  const payment = await staff('POST', `/bookings/${booking.id}/payments`, { amount: 15, currency: 'USD', date: ahead(0), gateway: 'cash', method: 'cash', status: 'pending' });
  await go(page, `/admin/payments/${payment.id}`);
  await more(page, 'Mark as completed');
  await confirm(page, 'Mark as completed');
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).amount_paid, 15);
  await go(page, '/admin');
  await go(page, `/admin/payments/${payment.id}`);
  await more(page, 'Delete');
  await confirm(page, 'Delete');
  assert.equal((await staff('GET', `/bookings/${booking.id}`)).amount_paid, 0);
  // A trip's earlier version, its copy, the trash; a rule and a day of the itinerary are deleted.
  await staff('POST', '/itineraries', { trip_id: trip.id, mode: 'day', day: 1, day_title: 'Up' });
  const rule = await staff('POST', '/recurring-availability', { trip_id: trip.id, rule_type: 'weekly', days_of_week: [6], start_date: ahead(60), seats_total: 8, status: 'inactive' });
  await go(page, `/admin/trips/${trip.id}/itinerary`);
  await page.getByRole('button', { name: 'Delete day 1' }).click();
  await confirm(page, 'Delete');
  assert.deepEqual(await staff('GET', `/itineraries?trip_id=${trip.id}`), []);
  await go(page, `/admin/trips/${trip.id}/dates`);
  await page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Duplicate' }) }).getByRole('button', { name: 'Delete', exact: true }).click();
  await confirm(page, 'Delete');
  assert.deepEqual((await staff('GET', `/recurring-availability?trip_id=${trip.id}`)).filter((one) => one.id === rule.id), []);
  await go(page, `/admin/trips/${trip.id}/publishing`);
  await page.getByRole('button', { name: 'Restore', exact: true }).last().click();
  await confirm(page, 'Restore');
  assert.equal((await staff('GET', `/trips/${trip.id}`)).title, 'Walk that comes and goes');
  await settled(page);
  await more(page, 'Duplicate');
  await page.waitForURL((url) => !url.pathname.includes(`/trips/${trip.id}`));
  const copy = Number(/trips\/(\d+)/.exec(page.url())[1]);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled(page);
  await more(page, 'Move to the trash');
  await confirm(page, 'Move to the trash');
  assert.equal(await status_of(`/trips/${copy}`), 'trash');
  await go(page, `/admin/trips/${copy}`);
  const restored = page.waitForResponse((one) => one.request().method() !== 'GET' && one.url().includes(`/trips/${copy}`));
  await more(page, 'Restore');
  assert((await restored).ok());
  assert.notEqual(await status_of(`/trips/${copy}`), 'trash');
  refuses(page);
  await page.done();
}

export async function site_buttons() {
  const page = await opened('administrator', {});
  // A module goes on and off; a mail server that is not set says so; credentials that are not there are said to be missing.
  await go(page, '/admin/modules');
  const module = page.getByRole('switch', { name: 'Form conditions' });
  const was = await module.isChecked();
  for (const on of [!was, was]) {
    await module.click();
    await page.getByText(on ? 'Form conditions is on.' : 'Form conditions is off.').first().waitFor();
    assert.equal((await staff('GET', '/modules')).find((one) => one.name === 'Form conditions').enabled, on);
  }
  await go(page, '/admin/emails');
  await page.getByLabel('Send a test to').fill('office@example.org');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.locator('main section .svc-notice').first().waitFor();
  await accessible(page, 'a test mail', { contrast: false });
  await go(page, '/admin/gateways');
  await page.getByRole('listitem').filter({ hasText: 'PayPal' }).getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Test the stored credentials' }).click();
  await page.getByRole('dialog').locator('.svc-notice').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  // The site's own pages.
  await go(page, '/admin/pages');
  await page.getByRole('button', { name: 'Add a page' }).click();
  await page.getByLabel('Title of page 1').fill('Terms of travel');
  await page.getByLabel('Address of page 1').fill('https://example.org/terms');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The pages are saved.').waitFor();
  assert.equal((await staff('GET', '/settings/pages'))[0].title, 'Terms of travel');
  await settled(page);
  // Somebody else's page is not thrown away with mine.
  await page.getByLabel('Title of page 1').fill('Mine');
  const [terms] = await staff('GET', '/settings/pages');
  await staff('PUT', '/settings/pages', { pages: [{ id: terms.id, title: 'Terms of travel', slug: terms.slug, url: terms.url }, { title: 'Privacy', url: 'https://example.org/privacy' }] });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const versions = page.getByRole('dialog', { name: 'Somebody else saved this meanwhile' });
  await versions.getByRole('button', { name: 'Take what is stored' }).click();
  await page.getByLabel('Title of page 2').waitFor();
  assert.equal((await staff('GET', '/settings/pages')).length, 2);
  // What a notice says is read once.
  await go(page, '/admin');
  const dismiss = page.locator('main').getByRole('button', { name: 'Dismiss' });
  const before = await dismiss.count();
  assert(before > 0);
  await dismiss.first().click();
  await page.waitForFunction((many) => [...document.querySelectorAll('main button')].filter((one) => one.textContent === 'Dismiss').length < many, before);
  await go(page, '/admin/tools/logs');
  await page.getByLabel('Clear').selectOption('payment');
  await confirm(page, 'Clear');
  refuses(page, 400, 409, 422, 502, 503);
  await page.done();
}

// The licences of parts that others made open from the system's status.
export async function licences() {
  const page = await opened('administrator');
  await go(page, '/admin/tools/status');
  const link = page.getByRole('link', { name: 'Licences of parts that others made' });
  const answer = await page.request.get(new URL(await link.getAttribute('href'), BASE).href);
  assert.equal(answer.status(), 200);
  const text = await answer.text();
  for (const part of ['preact', 'prosemirror-view', 'libsodium']) assert(text.includes(part), `${part} is not among the licences`);
  refuses(page);
  await page.done();
}
