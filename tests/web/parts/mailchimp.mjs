// Mailchimp: the key is tested and saved, an audience and its fields are chosen, customers are sent, and the log says why
// somebody was not.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const KEY = process.env.MAILCHIMP_KEY;

export async function mailchimp() {
  await staff('PUT', '/mailchimp/settings', { api_key: '', list_id: '', field_mapping: {} });
  await staff('POST', '/customers', { first_name: 'Ada', last_name: 'Agrees', email: 'ada-agrees@example.org', newsletter_optin: true });
  await staff('POST', '/customers', { first_name: 'Bob', last_name: 'Declines', email: 'bob-declines@example.org', newsletter_optin: false });
  const page = await opened('administrator', { permissions: ['clipboard-read', 'clipboard-write'] });
  await go(page, '/admin/mailchimp/log');
  await go(page, '/admin/mailchimp/settings');
  await page.getByText('Not connected').waitFor();
  await page.getByText('Save the key, then choose an audience.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send all customers' }).count(), 0);
  await accessible(page, 'Mailchimp, not connected');

  // The test says why it failed, and so does the field.
  const key = page.getByLabel('API key');
  await key.fill(`${'0'.repeat(32)}-us19`);
  await page.getByRole('button', { name: 'Test the key' }).click();
  await page.getByText(/Mailchimp does not accept this key: Your API key may be invalid/).waitFor();
  await key.fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This is no key of Mailchimp').first().waitFor();
  assert.equal(await key.getAttribute('aria-invalid'), 'true');
  await key.fill(KEY);
  await page.getByRole('button', { name: 'Test the key' }).click();
  await page.getByText('Mailchimp accepts the key. Account: Nile Tours').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved.').first().waitFor();
  assert.equal(await key.inputValue(), '****us19');

  // By the keyboard alone.
  const audience = page.getByLabel('Audience');
  await audience.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByLabel('First Name').selectOption('first_name');
  await page.getByLabel('Latest trip').selectOption('latest_trip');
  await page.getByLabel('Tags of all contacts, separated by commas').fill('Travelers');
  await page.getByLabel('Tags of all contacts, separated by commas').press('Enter');
  await page.getByText('Connected', { exact: true }).waitFor();
  await settled(page);
  const saved = await staff('GET', '/mailchimp/settings');
  assert.deepEqual([saved.list_name, saved.default_tags, saved.field_mapping], ['Travelers', 'Travelers', { FNAME: 'first_name', TRIP: 'latest_trip' }]);
  assert(!JSON.stringify(saved).includes(KEY));

  await page.getByRole('button', { name: 'Copy' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), saved.webhook_url);
  await page.getByRole('button', { name: 'Make a new address' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new address' }).click();
  await page.waitForFunction((old) => document.querySelector('input[readonly]')?.value !== old, saved.webhook_url);

  // All are sent, and the numbers follow.
  await page.getByRole('button', { name: 'Send all customers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send all customers' }).click();
  await page.getByText('The latest run over all customers').waitFor();
  const status = await staff('GET', '/mailchimp/status');
  assert(status.run.synced >= 1 && status.run.failed === 0, JSON.stringify(status));
  assert.equal(status.subscribed, status.opted_in);
  await page.getByText('Subscribed there', { exact: true }).waitFor();
  await accessible(page, 'Mailchimp, connected');

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'ada-agrees@example.org' }).first();
  await row.getByText('Is subscribed').waitFor();
  assert.equal(await page.getByText('bob-declines@example.org').count(), 0);
  await accessible(page, 'the log of Mailchimp');
  await page.setViewportSize({ width: 360, height: 740 });
  await accessible(page, 'the log on a phone');
  await go(page, '/admin/mailchimp/settings');
  await accessible(page, 'Mailchimp on a phone');
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= 360), 'the screen is wider than a phone');
  refuses(page, 400);
  await page.done();
  await staff('PUT', '/mailchimp/settings', { api_key: '', list_id: '' });
}
