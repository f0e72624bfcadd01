// Abandoned bookings: a visitor types and leaves, is listed with where it was left, is reminded, and comes back on another
// device; campaigns and settings are kept; "No thanks" forgets at once.
import assert from 'node:assert/strict';

import { BASE, accessible, api, browser, failures, go, opened, refuses, settled, sql, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const scan = () => staff('POST', '/tools/cron-run', { hook: 'abandoned_scan' });
const aged = (hours) => sql(['last_activity_at', 'abandoned_at', 'next_email_at', 'created_at'].reduce((set, name) => `${set}, ${name} = ${name} - ${hours * 3_600_000_000}`, 'UPDATE svc_abandoned_bookings SET id = id'));
const all = () => staff('GET', '/abandoned-bookings');

async function visitor(locale = 'en-GB', viewport = { width: 1280, height: 900 }) {
  const page = await (await browser.newContext({ viewport, locale })).newPage();
  page.on('pageerror', (error) => failures.push(`visitor: ${error.message}`));
  return page;
}

// The first step of a booking, by the choice page of that trip.
async function at_details(page, trip, day) {
  await page.goto(`${BASE}/book/${trip.slug}?date=${day}`);
  await page.getByRole('button', { name: /^(Continue to your details|Weiter zu Ihren Angaben)/ }).click();
  await page.locator('[data-reminders]').waitFor();
}
const reported = (page) => page.waitForResponse((answer) => answer.url().endsWith('/abandoned-bookings/track'));

export async function abandoned_bookings() {
  const trip = await staff('POST', '/trips', { title: 'Walk left alone', regular_price: 200, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(40), max_capacity: 8 });

  const desk = await opened('administrator', {});
  await go(desk, '/admin/abandoned-bookings');
  await desk.getByText(/^Nobody has left a booking unfinished/).waitFor();
  await accessible(desk, 'no abandoned bookings');

  // Nothing is told before the tick; with it, what is typed is.
  const page = await visitor();
  await at_details(page, trip, ahead(40));
  const box = page.getByLabel('Remind me by e-mail if I do not finish this booking');
  assert.equal(await page.locator('[data-rule=notice]').isVisible(), false);
  await page.getByLabel('First name').first().fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).first().fill('ada-left@example.org');
  await page.getByLabel('Last name').first().focus();
  await page.waitForTimeout(800);
  assert.equal((await all()).length, 0);
  assert.equal(await sql_count(), 0);
  const told = reported(page);
  await box.check();
  assert.equal((await told).status(), 200); // the body of a request that outlives its page cannot be read
  assert.equal(await sql_count(), 1);

  // Its words, the link "No thanks" too, can be read on its ground.
  await accessible(page, 'the notice of reminders');
  // No thanks forgets it, and says so.
  const forgotten = reported(page);
  await page.getByRole('button', { name: 'No thanks, keep nothing' }).click();
  await forgotten;
  await page.getByText('Nothing is kept. You can go on with your booking.').waitFor();
  assert.equal(await sql_count(), 0);
  await page.context().close();

  const other = await visitor('de-DE', { width: 360, height: 740 });
  await at_details(other, trip, ahead(40));
  await other.locator('#f-contact_first_name').fill('Grace');
  await other.locator('#f-contact_last_name').fill('Hopper');
  await other.locator('#f-contact_email').fill('grace-left@example.org');
  const kept = reported(other);
  await other.locator('#f-reminders').check();
  await kept;
  assert(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the form is wider than a phone');
  await other.context().close();

  await aged(2);
  await scan();
  const [row] = await all();
  assert.deepEqual([row.customer_name, row.status, row.step], ['Grace Hopper', 'contacted', 'details']);

  await go(desk, '/admin');
  await go(desk, '/admin/abandoned-bookings');
  await desk.getByRole('heading', { name: 'Where they stopped' }).waitFor();
  await accessible(desk, 'abandoned bookings');
  await desk.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByText('Grace Hopper').click();
  const sheet = desk.getByRole('dialog', { name: 'Grace Hopper' });
  await sheet.getByText('Reminder sent').waitFor();
  await sheet.getByText('Your booking of Walk left alone is not finished').waitFor();
  await sheet.getByText('Ticked the box', { exact: false }).waitFor();
  await accessible(desk, 'one abandoned booking');

  // A campaign: refused without its link, stored, sent by hand.
  await sheet.getByRole('button', { name: 'Close' }).click();
  await desk.getByRole('link', { name: 'Campaigns' }).click();
  await desk.getByText(/^No campaign yet/).waitFor();
  await accessible(desk, 'no campaign');
  await desk.getByRole('button', { name: 'New campaign' }).first().click();
  const campaign = desk.getByRole('dialog', { name: 'New campaign' });
  await campaign.getByLabel('Name, for you alone').fill('Late summer');
  const text = campaign.getByLabel('Text, as HTML');
  const proposed = await text.inputValue();
  await text.fill('<p>Hello</p>');
  await campaign.getByRole('button', { name: 'Save' }).click();
  await campaign.getByText(/^Add the tag/).first().waitFor();
  await text.fill(proposed);
  await campaign.getByLabel('How much, 0 for none').fill('10');
  await accessible(desk, 'a campaign');
  await campaign.getByRole('button', { name: 'Save' }).click();
  await campaign.waitFor({ state: 'detached' });
  await desk.getByText('After 24 hours · 10 %').waitFor();
  await desk.getByRole('switch', { name: 'Send Late summer by itself' }).click();
  await settled(desk);
  const [stored] = await staff('GET', '/abandoned-bookings/campaigns');
  assert.equal(stored.status, 'active');
  await desk.getByRole('button', { name: 'Actions for Late summer' }).click();
  await desk.getByRole('menuitem', { name: 'Change' }).click();
  const change = desk.getByRole('dialog', { name: 'Late summer' });
  await change.getByLabel('Subject').fill('{{ trip_name }} is waiting for you');
  await staff('PUT', `/abandoned-bookings/campaigns/${stored.id}`, { delay_hours: 30 }); // by somebody else
  await change.getByRole('button', { name: 'Save' }).click();
  await desk.getByRole('dialog', { name: 'Somebody else saved this meanwhile' }).getByRole('button', { name: 'Save mine over it' }).click();
  await desk.getByText('{{ trip_name }} is waiting for you').waitFor();

  await go(desk, '/admin/abandoned-bookings');
  await desk.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByText('Grace Hopper').click();
  await sheet.getByRole('button', { name: 'Send a reminder' }).click();
  const send = desk.getByRole('dialog', { name: 'Send a reminder to Grace Hopper' });
  await send.getByLabel('Text').selectOption({ label: 'Late summer' });
  await send.getByRole('button', { name: 'Send now' }).click();
  await desk.getByText('The reminder is on its way.').waitFor();
  await sheet.getByText('Walk left alone is waiting for you').waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();

  // On another device, by the link of the e-mail: the price of today, and what was typed.
  await staff('PUT', `/trips/${trip.id}`, { regular_price: 250 });
  const link = (await (await fetch(`${process.env.MAILS}/abandoned_booking_recovery_first/grace-left%40example.org`)).text()).trim();
  const address = new URL(link);
  const back = await visitor('en-GB', { width: 360, height: 740 });
  await back.goto(`${BASE}${address.pathname}`);
  await back.getByText('The price has risen since you were here.', { exact: false }).waitFor();
  assert(await back.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than a phone');
  await back.getByRole('button', { name: 'Go on with my booking' }).click();
  await back.waitForURL(/\/book\//);
  assert.equal(await back.locator('[name=contact_email]').first().inputValue(), 'grace-left@example.org');
  await back.context().close();
  for (let tries = 0; tries < 50 && !(await staff('GET', `/abandoned-bookings/${row.id}`)).link_used_at; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  assert((await staff('GET', `/abandoned-bookings/${row.id}`)).link_used_at);

  // Settings: a delay before the one before it is refused at its field; a country gets a rule.
  await go(desk, '/admin/abandoned-bookings');
  await desk.getByRole('button', { name: 'Settings' }).click();
  const settings = desk.getByRole('dialog', { name: 'Settings of abandoned bookings' });
  await settings.getByLabel('Second reminder after so many hours').fill('1');
  await settings.getByLabel('Two letters of a country').fill('us');
  await settings.getByRole('button', { name: 'Add a country' }).click();
  await settings.getByText('United States').waitFor();
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Each reminder needs more hours than the one before it.').first().waitFor();
  await accessible(desk, 'settings of abandoned bookings');
  await settings.getByLabel('Second reminder after so many hours').fill('20');
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.waitFor({ state: 'detached' });
  const now = await staff('GET', '/abandoned-bookings/settings');
  assert.deepEqual([now.second_email_delay_hours, now.consent_by_country], [20, { US: 'notice' }]);

  await desk.setViewportSize({ width: 360, height: 780 });
  await settled(desk);
  assert(await desk.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the screen is wider than a phone');
  await accessible(desk, 'abandoned bookings on a phone');
  await desk.setViewportSize({ width: 1280, height: 900 });
  await desk.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByText('Grace Hopper').click();
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await desk.getByRole('dialog', { name: 'Delete this unfinished booking?' }).getByRole('button', { name: 'Delete' }).click();
  await desk.getByText(/^Nobody has left a booking unfinished/).waitFor();
  await go(desk, '/admin/abandoned-bookings/campaigns');
  await desk.getByRole('button', { name: 'Actions for Late summer' }).click();
  await desk.getByRole('menuitem', { name: 'Delete' }).click();
  await desk.getByRole('dialog', { name: 'Delete Late summer?' }).getByRole('button', { name: 'Delete' }).click();
  await desk.getByText(/^No campaign yet/).waitFor();
  refuses(desk, 400, 409);
  await desk.done();
}

// Rows that are not listed yet count too.
async function sql_count() {
  const answer = await fetch(`${process.env.MAILS}/sql/${encodeURIComponent('SELECT COUNT(*) FROM svc_abandoned_bookings')}`);
  return Number(/\d+/.exec(await answer.text())[0]);
}
