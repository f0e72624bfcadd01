// Money that is to come: what is outstanding gets a link, what is planned is called off or marked as paid.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, sql, staff } from '../support.mjs';

const ahead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function due() {
  const page = await opened('administrator', {});
  const trip = await staff('POST', '/trips', { title: 'Walk on credit', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(33), max_capacity: 8 });
  const book = (name) => staff('POST', '/bookings', { trip_id: trip.id, travel_date: ahead(33), travelers_count: 1, contact_first_name: name, contact_last_name: 'Somerville', contact_email: `${name.toLowerCase()}@example.org`, status: 'confirmed' });
  const [linked, paid] = [await book('Martha'), await book('Greig')];
  await go(page, '/admin/scheduled-payments/outstanding?search=Somerville');
  const row = (name) => page.getByRole('row').filter({ hasText: `${name} Somerville` }).first();
  await row('Martha').waitFor();
  await accessible(page, 'what is outstanding');
  await page.getByRole('button', { name: 'Actions for Martha Somerville' }).click();
  await page.getByRole('menuitem', { name: 'Send a link to pay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('The link is on its way.').waitFor();
  await page.getByRole('button', { name: 'Actions for Greig Somerville' }).click();
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Record / }).click();
  await row('Greig').waitFor({ state: 'detached' });
  assert.equal((await staff('GET', `/bookings/${paid.id}`)).amount_due, 0);
  // The link is among what is planned; a charge that failed says why, and one that is planned is called off.
  await go(page, `/admin/scheduled-payments?search=${linked.reference}`);
  await row('Martha').getByText('A link was sent').waitFor();
  await accessible(page, 'what is planned');
  const [planned] = await staff('GET', `/scheduled-payments?search=${linked.reference}`);
  assert.equal(planned.status, 'scheduled');
  await page.getByRole('button', { name: 'Actions for Martha Somerville' }).click();
  await page.getByRole('menuitem', { name: 'Charge a saved card' }).click();
  await page.getByText('This customer has saved no card that is still valid.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Actions for Martha Somerville' }).click();
  await page.getByRole('menuitem', { name: 'Call off' }).click();
  await page.getByRole('dialog', { name: 'Call off this payment?' }).getByRole('button', { name: 'Call off' }).click();
  await row('Martha').getByText('Cancelled').waitFor();
  assert.equal((await staff('GET', `/scheduled-payments?search=${linked.reference}`))[0].status, 'cancelled');
  assert.equal(await row('Martha').getByRole('button', { name: /^Actions/ }).count(), 0);
  await sql(`UPDATE svc_scheduled_payments SET status = 'failed', last_error = 'The card has expired.' WHERE id = ${planned.id}`);
  await go(page, '/admin');
  await go(page, `/admin/scheduled-payments?search=${linked.reference}`);
  await settled(page);
  // A link is answered or not: it is never overdue, as the figures above say.
  await sql(`UPDATE svc_scheduled_payments SET status = 'scheduled', scheduled_date = '${ahead(-2)}' WHERE id = ${planned.id}`);
  await go(page, '/admin');
  await go(page, `/admin/scheduled-payments?search=${linked.reference}`);
  await row('Martha').getByText('Scheduled').waitFor();
  assert.equal(await row('Martha').getByText('overdue').count(), 0);
  // Buttons are no data: the file has the columns only.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()]);
  const csv = (await import('node:fs')).readFileSync(await download.path(), 'utf8');
  assert.match(csv, new RegExp(linked.reference));
  assert(!/Actions/.test(csv));
  refuses(page);
  await page.done();
  // Who may only look at bookings has no buttons.
  const auditor = await opened('auditor', {});
  await go(auditor, '/admin/scheduled-payments');
  assert.equal(await auditor.getByRole('button', { name: /^Actions for/ }).count(), 0);
  refuses(auditor);
  await auditor.done();
}
