// Google Calendar: it is connected in steps, a departure becomes an event, a dry run says what would change, an access that
// ended is connected again, and disconnecting asks about the events.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, sql, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const played = async (what) => (await fetch(`${process.env.GOOGLE}/played/${what}`)).json();
const until = async (said, what) => {
  for (let tries = 0; tries < 900; tries += 1) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(said);
};

export async function google_calendar() {
  const trip = await staff('POST', '/trips', { title: 'Walk in a calendar', regular_price: 20, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const page = await opened('administrator', {});
  // The person at Google agrees at once.
  await page.route('https://accounts.google.com/**', async (route) => {
    const address = new URL(route.request().url());
    const { state, code } = await played(`consent?auth_url=${encodeURIComponent(address.href)}`);
    const back = `${address.searchParams.get('redirect_uri')}?${new URLSearchParams({ state, code })}`;
    await route.fulfill({ contentType: 'text/html', body: `<meta http-equiv="refresh" content="0; url=${back.replaceAll('&', '&amp;')}">` });
  });
  await go(page, '/admin/google-calendar');
  await page.getByRole('heading', { name: 'Connect in five steps' }).waitFor();
  await page.getByText(/ends our access after seven days/).waitFor();
  await page.getByText(/\/svc\/v1\/google-calendar\/callback$/).waitFor();
  assert(await page.getByRole('button', { name: 'Connect with Google' }).isDisabled());
  await accessible(page, 'Google Calendar before it is connected');
  await page.getByLabel(/^Client ID/).fill('client-1');
  await page.getByLabel(/^Client secret/).fill('secret-1');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Connect with Google' }).click();
  await page.getByText('Connected. What is to come is being copied.').waitFor();
  await page.getByText('Connected', { exact: true }).waitFor();
  const departure = await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(50), max_capacity: 9 });
  const event = async () => (await played('shown')).find((one) => one.description.includes(`/departures/${trip.id}/${departure.id}`));
  await until('the departure became no event', event);
  assert.equal((await event()).summary, 'Walk in a calendar (0/9)');
  assert(!JSON.stringify(await staff('GET', '/google-calendar/settings')).includes('secret-1'));

  // The dry run, then the copy with its progress.
  await until('the queue stayed', async () => (await staff('GET', '/google-calendar/settings')).queued === 0);
  await page.getByRole('button', { name: 'See what would change' }).click();
  const plan = page.getByRole('dialog', { name: 'What would change' });
  await plan.getByText('The calendar has all that it should have.').waitFor();
  await accessible(page, 'what would change');
  await plan.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Copy everything again' }).click();
  await page.getByText('Everything that is to come is being copied.').waitFor();
  await until('the copy did not end', async () => (await staff('GET', '/google-calendar/sync-all')).state === 'done');

  // What is copied: the server's refusal stands at its field.
  await page.getByLabel('Google invites the contact of a booking by e-mail').check();
  await page.getByLabel(/^Days before the start/).fill('7, 1');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('let events have names first').first().waitFor();
  await page.getByLabel('Google invites the contact of a booking by e-mail').uncheck();
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('The settings are saved.').waitFor();
  assert.deepEqual((await staff('GET', '/google-calendar/settings')).reminder_days, [7, 1]);

  // An access that ended.
  await until('the queue stayed', async () => (await staff('GET', '/google-calendar/settings')).queued === 0);
  await played('revoke');
  await staff('PUT', `/trips/${trip.id}/departures/${departure.id}`, { max_capacity: 12 });
  await until('the state stayed', async () => (await staff('GET', '/google-calendar/settings')).state === 'reconnect');
  await page.reload();
  await page.getByText(/Google no longer accepts our access/).waitFor();
  await accessible(page, 'Google Calendar to be connected again');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const refused = page.getByRole('dialog', { name: 'Disconnect Google Calendar?' });
  await refused.getByText('they cannot be deleted from here').waitFor();
  assert.equal(await refused.getByLabel(/^Delete our/).count(), 0);
  await accessible(page, 'leaving without consent');
  await page.keyboard.press('Escape');
  await refused.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Connect with Google' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await until('what waited was lost', async () => (await event())?.summary === 'Walk in a calendar (0/12)');

  await page.setViewportSize({ width: 360, height: 740 });
  await go(page, '/admin/google-calendar');
  await page.getByText('Events in the calendar').waitFor();
  await accessible(page, 'Google Calendar on a phone');
  await go(page, '/admin/google-calendar/log');
  await page.getByText('/calendar/v3/calendars/{calendar}/events').first().waitFor();
  await accessible(page, 'calls of Google on a phone');
  await page.setViewportSize({ width: 1280, height: 800 });

  await go(page, '/admin/google-calendar');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const leaving = page.getByRole('dialog', { name: 'Disconnect Google Calendar?' });
  await leaving.getByLabel(/^Delete our/).check();
  await leaving.getByRole('button', { name: 'Disconnect' }).click();
  await leaving.waitFor({ state: 'detached' });
  await until('events stayed', async () => (await played('shown')).length === 0);
  await until('the state stayed', async () => (await staff('GET', '/google-calendar/settings')).state === 'off');
  await go(page, '/admin/google-calendar');
  await page.getByRole('heading', { name: 'Connect in five steps' }).waitFor();
  await staff('PUT', '/google-calendar/settings', { client_id: '', client_secret: '', reminder_days: [] });
  await sql('DELETE FROM svc_google_calendar_calls');
  await settled(page);
  refuses(page, 400);
  await page.done();
}
