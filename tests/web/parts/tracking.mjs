// Facebook Pixel and Google Analytics: the tests of ids and secrets say why they fail, what is saved is kept and masked, a
// purchase is in the log with the partner's answer, and the log can be deleted. Meta and Google are tests/support/tracking_stub.py.
import assert from 'node:assert/strict';

import { BASE, accessible, go, opened, refuses, settled, sql, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

// A visitor's booking, paid in part, whose maker allowed everything. Answers its reference.
async function bought() {
  const trip = await staff('POST', '/trips', { title: 'Walk that counts', regular_price: 199.99, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(50), max_capacity: 8 });
  const contact = { contact_first_name: 'Ida', contact_last_name: 'Rhodes', contact_email: 'ida.rhodes@example.org' };
  const booking = await staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(50), travelers_count: 1, ...contact, status: 'pending' });
  await sql(`INSERT INTO svc_booking_consents (booking_id, analytics, marketing, ga_client_id, fbp, fbc, client_address, user_agent, decided_at) VALUES (${booking.id}, 1, 1, '12.34', 'fb.1.1.7', '', '192.0.2.9', 'Mozilla/5.0', 1)`);
  await staff('POST', `/bookings/${booking.id}/payments`, { amount: 10, gateway: 'cash', status: 'completed' });
  return booking.booking_reference ?? booking.reference;
}

async function in_log(path, reference) {
  for (let tries = 0; tries < 300; tries += 1) {
    const row = (await staff('GET', path)).find((one) => one.booking_reference === reference);
    if (row?.status === 'sent') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.fail(`the purchase of ${reference} is not in ${path}`);
}

async function pixel(page) {
  await go(page, '/admin/facebook-pixel/event-logs');
  await page.getByText(/^Nothing was reported yet/).waitFor();
  await page.getByText(/^Visitors are asked first: without their consent to marketing/).waitFor();
  await accessible(page, 'the pixel, empty');
  const id = page.getByLabel('Pixel id', { exact: true });
  const token = page.getByLabel('Access token', { exact: true });
  await id.fill('12 ab');
  await page.getByRole('button', { name: 'Test the id' }).click();
  await page.getByText('A pixel id has 6 to 20 digits and nothing else.', { exact: true }).waitFor();
  await id.fill('123456789012345');
  await page.getByRole('button', { name: 'Test the id' }).click();
  await page.getByText(/^The id has the right form\. Enter the access token too/).waitFor();

  // The server's sentence stands at its field.
  await page.getByLabel('This server reports too').check();
  refuses(page, 400);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.svc-invalid', { has: token }).getByText('Reporting from the server needs an access token.').waitFor();
  await accessible(page, 'the pixel with a fault');
  await token.fill('EAAB-old');
  await page.getByRole('button', { name: 'Test the token' }).click();
  await page.getByText('Meta says: Error validating access token: The session has been invalidated.').waitFor();
  await token.fill('EAAB-token');
  await page.getByRole('button', { name: 'Test the token' }).click();
  await page.getByText('It is right.').waitFor();
  await page.getByRole('switch', { name: 'Report: Money is paid back' }).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings are saved.').waitFor();
  // Parameters of the operator's own: a name that is taken is refused at its field.
  await page.getByRole('button', { name: 'Add a row' }).click();
  const name = page.getByRole('textbox', { name: 'Name of the parameter 1' });
  await name.fill('content_ids');
  await page.getByRole('combobox', { name: 'What it tells 1' }).selectOption('travelers');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.svc-invalid', { has: name }).getByText('Choose another one.').waitFor();
  await accessible(page, 'the pixel with a parameter that is taken');
  await name.fill('party');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.svc-invalid').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
  const saved = await staff('GET', '/facebook-pixel/settings');
  assert.deepEqual(saved.parameter_mapping, { party: 'travelers' });
  assert.deepEqual([saved.pixel_id, saved.access_token, saved.server_side, saved.events.refund, saved.events.purchase], ['123456789012345', '****oken', true, false, true]);
  await page.reload();
  await settled(page);
  assert.equal(await token.inputValue(), '****oken');
}

async function log_of(page, path, title, said) {
  const reference = await bought();
  await in_log(path.replace('/admin', ''), reference);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: reference });
  await row.getByText('Sent', { exact: true }).waitFor();
  await accessible(page, `${title} with its log`);
  await row.click();
  const sheet = page.getByRole('dialog', { name: 'A trip is booked' });
  await sheet.getByText(said).first().waitFor();
  await sheet.getByRole('link', { name: reference }).waitFor();
  assert(!(await sheet.innerText()).match(/fb\.1\.1\.7|192\.0\.2\.9|12\.34/), 'the log names no visitor');
  await accessible(page, `${title}: one event`);
  await sheet.getByRole('button', { name: 'Close' }).click();
}

async function analytics(page) {
  await go(page, '/admin/google-analytics/logs');
  await page.getByText(/without their consent to statistics nothing reaches Google/).waitFor();
  const id = page.getByLabel('Measurement id', { exact: true });
  await id.fill('UA-1234-1');
  await page.getByRole('button', { name: 'Test the id' }).click();
  await page.getByText(/^A measurement id looks like G-ABC1234567\./).waitFor();
  await id.fill('G-ABC1234567');
  await page.getByLabel('API secret', { exact: true }).fill('mp-secret-1');
  await page.getByRole('button', { name: 'Test id and secret' }).click();
  await page.getByText(/^Google finds no fault\. It never says whether it knows a secret/).waitFor();
  await page.getByLabel('This server reports too').check();
  await page.getByLabel('Test mode').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The test mode is on: events are marked for DebugView.').waitFor();
  await accessible(page, 'analytics in test mode');
}

export async function tracking() {
  const page = await opened('administrator', {});
  await pixel(page);
  await log_of(page, '/admin/facebook-pixel/event-logs', 'the pixel', /events_received/);
  await page.getByRole('button', { name: 'Delete the log' }).click();
  await page.getByRole('dialog', { name: 'Delete the log?' }).getByRole('button', { name: 'Delete the log' }).click();
  await page.getByText('Deleted: 1').waitFor();
  await page.getByText(/^Nothing was reported yet/).waitFor();
  await page.getByLabel('Test event code').fill('TEST42');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^A test event code is set: what this server reports counts for nothing/).waitFor();

  await analytics(page);
  await log_of(page, '/admin/google-analytics/logs', 'analytics', /validationMessages/);

  // By keyboard and on a phone.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${BASE}/admin/facebook-pixel/event-logs`);
  await settled(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the phone');
  await page.getByLabel('Pixel id', { exact: true }).focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.value), '****oken');
  await accessible(page, 'the pixel on a phone');
  await page.context().close();
}
