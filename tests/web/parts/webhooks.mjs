// Webhooks: an endpoint is made, its secret is seen once, a test message arrives, what failed is sent again. Each delivery
// is verified by the library that receivers use.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { Webhook } from 'standardwebhooks';

import { accessible, go, opened, refuses, settled, sql, staff } from '../support.mjs';

export async function webhooks() {
  const [host, port] = process.env.HOOKS.split(':');
  const got = [];
  let status = 204;
  const receiver = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'HEAD') got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status).end(status === 500 ? 'out of order' : '');
    });
  });
  await new Promise((resolve) => receiver.listen(Number(port), host, resolve));
  try {
    const page = await opened('administrator', {});
    await go(page, '/admin/webhooks/endpoints');
    await page.getByText('Nothing is sent yet.').waitFor();
    await accessible(page, 'no endpoint');
    await page.getByRole('link', { name: 'New endpoint' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New endpoint' });
    await dialog.getByLabel('Name').fill('Accounting');
    await dialog.getByLabel('Address that receives the messages').fill('http://example.org/hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an address that begins with https://.').first().waitFor();
    await dialog.getByLabel('Address that receives the messages').fill(`http://${host}:${port}/hook`);
    await dialog.getByLabel('What is sent').selectOption('booking.cancelled');
    await dialog.getByText('All fields are sent').click();
    await dialog.getByLabel('booking.reference').check();
    await dialog.getByRole('button', { name: 'Show the next event here' }).click();
    await dialog.getByRole('button', { name: 'Waits for the next event' }).waitFor();
    await accessible(page, 'an endpoint with chosen fields');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const secret = await page.locator('[data-secret]').textContent();
    assert.match(secret, /^whsec_/);
    await page.getByRole('dialog', { name: 'The secret' }).getByRole('button', { name: 'Done' }).click();
    const [endpoint] = await staff('GET', '/webhooks/endpoints');
    assert.deepEqual(endpoint.selected_fields, ['data.booking.reference']);
    assert(!JSON.stringify(endpoint).includes(secret));

    const act = async (name) => {
      await page.getByRole('button', { name: 'Actions for Accounting' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    // The message that follows the first `seen` ones.
    const arrived = async (seen) => {
      for (let tries = 0; got.length <= seen && tries < 300; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(got.length, seen + 1);
      return got[seen];
    };
    status = 500;
    await act('Send a test message');
    const first = await arrived(0);
    new Webhook(secret).verify(first.body, first.headers);

    // The sheet of a failed delivery says what was sent and answered, and sends it again.
    await go(page, '/admin/webhooks/deliveries');
    const row = page.getByRole('row').filter({ hasText: 'Test message' }).first();
    await row.getByText('Failed, tried again').waitFor();
    await accessible(page, 'deliveries');
    await row.click();
    const sheet = page.getByRole('dialog', { name: 'Test message' });
    await sheet.getByText('out of order').waitFor();
    await sheet.getByText('The endpoint answered 500.').waitFor();
    await accessible(page, 'one delivery');
    // The server tries again by itself after some seconds: not while this part presses the button.
    await sql('UPDATE svc_webhook_deliveries SET next_attempt_at = next_attempt_at + 86400000');
    status = 204;
    let seen = got.length;
    await sheet.getByRole('button', { name: 'Send again' }).click();
    assert.equal((await arrived(seen)).headers['webhook-id'], first.headers['webhook-id']);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sql("UPDATE svc_webhook_deliveries SET status = 'permanent_failure'");
    seen = got.length;
    await page.getByRole('button', { name: 'Send all failed ones again' }).click();
    await page.getByText(/^Sent again: [1-9]/).waitFor();
    await arrived(seen);

    // Both secrets sign while one is replaced.
    await go(page, '/admin/webhooks/endpoints');
    await act('Replace the secret');
    await page.getByRole('dialog', { name: 'Replace the secret?' }).getByRole('button', { name: 'Replace the secret' }).click();
    const fresh = await page.locator('[data-secret]').textContent();
    assert.notEqual(fresh, secret);
    await page.getByRole('dialog', { name: 'The secret' }).getByRole('button', { name: 'Done' }).click();
    seen = got.length;
    await act('Send a test message');
    const last = await arrived(seen);
    for (const one of [secret, fresh]) new Webhook(one).verify(last.body, last.headers);

    await act('Edit');
    await page.getByRole('dialog', { name: 'Accounting' }).getByRole('textbox', { name: /^Name/ }).fill('Ledger');
    // Meanwhile somebody else writes a note.
    await staff('PUT', `/webhooks/endpoints/${endpoint.id}`, { description: 'theirs' });
    await page.getByRole('dialog', { name: 'Accounting' }).getByRole('button', { name: 'Save' }).click();
    const versions = page.getByRole('dialog', { name: 'Somebody else saved this meanwhile' });
    await versions.getByRole('cell', { name: 'theirs' }).waitFor();
    await versions.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Ledger').first().waitFor();
    const { name, description } = await staff('GET', `/webhooks/endpoints/${endpoint.id}`);
    assert.deepEqual([name, description], ['Ledger', 'theirs']);
    await page.getByRole('switch', { name: 'Send to Ledger' }).click();
    await page.getByText('Off', { exact: true }).first().waitFor();
    await settled(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await accessible(page, 'endpoints on a phone');
    await page.getByRole('button', { name: 'Actions for Ledger' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Ledger?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is sent yet.').waitFor();
    refuses(page, 400, 409);
    await page.done();
  } finally {
    receiver.close();
  }
}
