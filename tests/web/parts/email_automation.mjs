// E-mail automation: a sequence in words, what an edit does to those in it, a text for one trip and which applies, the log.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, sql, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function email_automation() {
  const trip = await staff('POST', '/trips', { title: 'Walk by mail', regular_price: 100, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(40), max_capacity: 9 });
  const page = await opened('administrator', {});

  // Those that come with the module are drafts, in words.
  await go(page, '/admin/email-sequences');
  await page.getByText('7 days before the trip').waitFor();
  await page.getByText('1. at once: Sequence: packing list').waitFor();
  await accessible(page, 'sequences');
  await page.getByRole('button', { name: 'New sequence' }).click();
  const dialog = page.getByRole('dialog', { name: 'New sequence' });
  await dialog.getByLabel('Name').fill('After booking');
  await dialog.getByLabel('For', { exact: true }).selectOption('specific_trips');
  await dialog.getByLabel('Trips', { exact: true }).fill('Walk by mail');
  await dialog.getByRole('option', { name: /Walk by mail/ }).click();
  await dialog.getByRole('button', { name: 'Add a step' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Choose a template, or enter custom_subject and custom_body.').first().waitFor();
  await dialog.getByLabel('Subject').fill('Hello {{ customer_first_name }}');
  await dialog.getByLabel('Text').fill('<p>{{ trip_name }}</p>');
  await dialog.getByRole('spinbutton', { name: 'Delay of step 1' }).fill('3');
  await dialog.getByRole('button', { name: 'Only if …' }).click();
  await accessible(page, 'a sequence');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('1. 3 days later: Hello {{ customer_first_name }} if Still to pay > 0').waitFor();
  await page.getByRole('switch', { name: 'Run After booking' }).click();
  await settled(page);
  const stored = (await staff('GET', '/email-sequences?search=After booking&per_page=100'))[0];
  assert.equal(stored.status, 'active');
  assert.deepEqual(stored.trip_ids, [trip.id]);

  // With a booking in it an edit says what becomes of that.
  const booked = await staff('POST', '/bookings', {
    trip_id: trip.id, travel_date: ahead(40), travelers_count: 1, contact_first_name: 'Ada', contact_last_name: 'Mail',
    contact_email: 'ada.mail@example.org',
  });
  await staff('PUT', `/bookings/${booked.id}/status`, { status: 'confirmed' });
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await staff('GET', `/email-sequences/${stored.id}`)).enrolled_active === 1) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await go(page, '/admin');
  await go(page, '/admin/email-sequences');
  await page.getByText('In it: 1').waitFor();
  await page.getByRole('button', { name: 'Actions for After booking' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'After booking' });
  await edit.getByRole('spinbutton', { name: 'Delay of step 1' }).fill('0');
  await edit.getByText(/Bookings in this sequence: 1\. At once with their next step: 1\./).waitFor();
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  await staff('POST', '/tools/cron-run', { hook: 'svc_email_sequences' });

  // The log tells what was sent.
  await go(page, '/admin/email-sequences/log');
  const row = page.getByRole('row').filter({ hasText: 'Hello Ada' }).first();
  await row.waitFor();
  await accessible(page, 'the log of e-mails');
  await row.click();
  const sheet = page.getByRole('dialog', { name: 'Hello Ada' });
  await sheet.getByText('<p>{{ trip_name }}</p>').waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();

  // A text for one trip, and which applies.
  await go(page, '/admin/email-sequences/templates');
  await page.getByLabel('Search templates').fill('Booking confirmed');
  await page.getByRole('button', { name: 'Actions for Booking confirmed' }).click();
  await page.getByRole('menuitem', { name: 'Another text for some trips' }).click();
  const text = page.getByRole('dialog', { name: 'Another text for some trips' });
  await text.getByRole('button', { name: 'Save', exact: true }).click();
  await text.getByText('Enter at least one trip, category or trip type.').first().waitFor();
  await text.getByLabel('Trips', { exact: true }).fill('Walk by mail');
  await text.getByRole('option', { name: /Walk by mail/ }).click();
  await text.getByLabel('Subject').fill('See you on the walk');
  await text.getByText('Tags', { exact: true }).click();
  await text.locator('details button.svc-chip').first().click();
  await text.locator('iframe').waitFor();
  await accessible(page, 'a text for some trips');
  await text.getByRole('button', { name: 'Save', exact: true }).click();
  await text.waitFor({ state: 'detached' });
  await page.getByText('For 1 trip').waitFor();
  await page.getByLabel('Trip', { exact: true }).fill('Walk by mail');
  await page.getByRole('option', { name: /Walk by mail/ }).click();
  await page.getByText(/See you on the walk.*because it names the trip/).waitFor();
  await accessible(page, 'templates of e-mail automation');

  // A text that was changed goes back to that of the release; a copy is off and can be deleted; a test is sent.
  const act = async (name, item) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await act('Booking confirmed', 'Edit');
  const whole = page.getByRole('dialog', { name: 'Booking confirmed' });
  await whole.getByLabel('Subject').fill('Confirmed at last');
  await whole.getByRole('button', { name: 'Send a test', exact: true }).click();
  await page.getByText(/No mail server is set|Sent to/).first().waitFor();
  await whole.getByRole('button', { name: 'Save', exact: true }).click();
  await whole.waitFor({ state: 'detached' });
  await page.getByText('Confirmed at last').waitFor();
  await act('Booking confirmed', 'Back to the text of this release');
  await page.getByText('The text of this release is used again.').waitFor();
  await act('Booking confirmed', 'Copy');
  await act('Booking confirmed (copy)', 'Delete');
  await page.getByRole('dialog', { name: 'Delete Booking confirmed (copy)?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Actions for Booking confirmed (copy)' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New template' }).click();
  const fresh = page.getByRole('dialog', { name: 'New template' });
  await fresh.getByLabel('Name').fill('Spring news');
  await fresh.getByLabel('Kind').selectOption('marketing');
  await fresh.getByLabel('Subject').fill('Spring');
  await fresh.getByLabel('Text').fill('<p>It is spring.</p>');
  await fresh.getByRole('button', { name: 'Save', exact: true }).click();
  await fresh.waitFor({ state: 'detached' });
  await page.getByLabel('Search templates').fill('Spring');
  await page.getByText('Marketing · Spring').waitFor();

  // Who gets no marketing: one is added, found by another spelling, refused the second time, and removed.
  await go(page, '/admin/email-sequences/suppressed');
  await page.getByText('Nobody has unsubscribed.').waitFor();
  const add = async (email) => {
    await page.getByRole('button', { name: 'Add an address' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add an address' });
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    return dialog;
  };
  await (await add('Ada.Mail+news@example.org')).waitFor({ state: 'detached' });
  const listed = page.getByRole('row').filter({ hasText: 'ada.mail@example.org' });
  await listed.getByText('Added by staff').waitFor();
  const twice = await add('ada.mail@example.org');
  await twice.getByText('This address is on the list already.').first().waitFor();
  await accessible(page, 'an address that is on the list already');
  await twice.getByRole('button', { name: 'Back' }).click();
  await page.getByPlaceholder('Address').fill('ADA.MAIL+other@example.org');
  await settled(page);
  await listed.waitFor();
  await accessible(page, 'who gets no marketing');
  await page.getByRole('button', { name: 'Remove ada.mail@example.org' }).click();
  const gone = page.getByRole('dialog', { name: 'Remove ada.mail@example.org?' });
  await gone.getByRole('button', { name: 'Remove', exact: true }).click();
  await gone.waitFor({ state: 'detached' });
  await listed.waitFor({ state: 'detached' });
  assert.deepEqual(await staff('GET', '/email-suppressions'), []);

  await go(page, '/admin/email-sequences');
  await page.setViewportSize({ width: 360, height: 780 });
  await settled(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the screen is wider than a phone');
  await accessible(page, 'sequences on a phone');
  await page.getByRole('button', { name: 'Actions for After booking' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete After booking?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Actions for After booking' }).waitFor({ state: 'detached' });
  refuses(page, 400, 409);
  await page.done();
  // Other parts look at the e-mails of the site.
  await sql("DELETE FROM svc_email_templates WHERE overrides <> ''");
}
