// The states of the licence in Chromium: run by licence_test.py, which starts the server and the licence server.
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { accessible, browser, failures, go, opened, refuses, settled, sql, staff } from './support.mjs';

const key = 'SVC-AAAA-BBBB-7890';
const day = 86_400_000;
const ahead = (days) => new Date(Date.now() + days * day).toISOString().replace(/\.\d+Z$/, 'Z');
const micros = (days) => Math.round((Date.now() + days * day) * 1000);
const licence = (status, days, tier = 'agency') => ({ result: 'ok', license: { status, expires_at: days === null ? null : ahead(days), activations_left: 2, plan: { name: tier[0].toUpperCase() + tier.slice(1), tier, is_lifetime: false } } });
const says = (answer) => fetch(`${process.env.MAILS}/answer/${encodeURIComponent(JSON.stringify(answer))}`);

const page = await opened('administrator');
const section = page.locator('section, .svc-section').filter({ has: page.getByRole('heading', { name: 'Licence', exact: true }) }).first();
const { PICTURES } = process.env;

// The state has this sentence, and its one main button is the next step; nothing else of the section is as loud.
async function is(code, sentence, step) {
  await go(page, '/admin');
  await go(page, '/admin/modules');
  await section.getByText(sentence).waitFor();
  assert.equal((await staff('GET', '/license')).state.code, code);
  const loud = section.locator('.svc-primary');
  assert.deepEqual(await loud.allInnerTexts(), step ? [step] : [], code);
  await settled(page);
  await accessible(page, `licence: ${code}`);
  if (!PICTURES) return;
  fs.mkdirSync(PICTURES, { recursive: true });
  for (const [width, height] of [[1280, 900], [360, 740]]) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${PICTURES}/licence-${code}-${width}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
const works_on = 'Modules that are on keep working; none can be turned on.';
const press = (name) => section.getByRole('button', { name, exact: true }).click();
const checked = async () => {
  await press('Check now');
  await page.getByText('The licence is checked.').first().waitFor();
  await page.evaluate(() => document.querySelectorAll('.svc-toast button').forEach((one) => one.click()));
};

await is('none', 'There is no licence. Modules of Pro cannot be turned on.', 'Enter a key');
assert.equal(await section.getByRole('button', { name: 'Check now' }).count(), 0);
await staff('POST', '/license/save', { license_key: key });
await is('stored', 'The key is stored and not activated on this installation.', 'Activate here');

const dialog = page.getByRole('dialog');
async function end() {
  refuses(page, 409, 502);
  await page.done();
  await browser.close();
  for (const one of failures) console.error(`FAILED ${one}`);
  process.exit(failures.length ? 1 : 0);
}
if (!process.env.REACHED) {
  // Nothing reaches the licence server of the test: activating says so and changes nothing.
  await press('Activate here');
  await dialog.getByRole('textbox').fill(key);
  await dialog.getByRole('button', { name: 'Run' }).click();
  await dialog.getByText('The licence server could not be reached. Try again later.').first().waitFor();
  await is('stored', 'The key is stored and not activated on this installation.', 'Activate here');
  console.log('2 of the states: this machine lets nobody mount');
  await end();
}

// Too many sites: the dialog says what to do.
await says({ result: 'activation_limit' });
await press('Activate here');
await dialog.getByRole('textbox').fill(key);
await dialog.getByRole('button', { name: 'Run' }).click();
await dialog.getByText('This licence has reached its site limit. Deactivate another site first.').first().waitFor();
await says(licence('active', 200));
await dialog.getByRole('button', { name: 'Run' }).click();
await dialog.waitFor({ state: 'detached' });
await is('active', /The licence is active until/, null);
await page.getByRole('switch', { name: 'Webhooks' }).click();
await page.getByText('Webhooks is on.').waitFor();

await says(licence('active', 12));
await checked();
await is('ending', /The licence ends on .*Renew it/, 'Check now');
await staff('PUT', '/settings', { license_upgrade_url: 'https://shop.example/renew' });
await is('ending', /The licence ends on .*Renew it/, 'Renew the licence');

// Its server is out of reach: nothing changes until seven days after the end.
await says(null);
await press('Check now');
await page.getByText('The licence server could not be reached. Try again later.').waitFor();
await sql(`UPDATE svc_license SET unreached_since = ${micros(-4)}, expires_at = ${micros(90)}`);
await is('unreached', /The licence server has not answered since .*Everything works as before\./, 'Check now');
await sql(`UPDATE svc_license SET expires_at = ${micros(-2)}`);
await is('grace', /The licence ended on .*Until .* everything works as before\./, 'Check now');
assert.equal((await staff('GET', '/license')).license_info.status, 'active');
await sql(`UPDATE svc_license SET expires_at = ${micros(-8)}`);
await is('expired', /The licence ended on .*there are no more updates\. Modules that are on keep working/, 'Renew the licence');

// What is on works on, and nothing is turned on.
assert.deepEqual(await staff('GET', '/webhooks/endpoints'), []);
const pixel = page.getByRole('listitem').filter({ hasText: 'Additional services' });
await pixel.getByText('plan personal').waitFor();

await says(licence('active', 300, 'growth'));
await checked();
await is('plan_lowered', /The plan Growth does not have these modules: Webhooks\. They keep working/, 'Change the plan');
await says(licence('inactive', 300));
await checked();
await is('deactivated', /This installation was deactivated elsewhere; that is known since/, 'Activate here');
await section.getByText(works_on).waitFor();
await says(licence('disabled', 300));
await checked();
await is('disabled', 'The licence server has disabled this licence. Ask who sold it to you.', 'Another key');
await says({ result: 'invalid_license' });
await checked();
await is('invalid', 'The licence server does not know this key any more.', 'Another key');
await section.getByText(works_on).waitFor();

// Another key, then given back here.
await says(licence('active', null));
await press('Another key');
await dialog.getByRole('textbox').fill('SVC-CCCC-DDDD-1111');
await dialog.getByRole('button', { name: 'Run' }).click();
await dialog.waitFor({ state: 'detached' });
await is('active', 'The licence is active and does not end.', null);
// After an evaluation the modules that go off are named before the licence is given back.
await sql("INSERT INTO svc_evaluation (id, started_at, last_seen_at, seal) VALUES (1, 1, 1, 'of a test')");
await is('active', 'The licence is active and does not end.', null);
await says(licence('inactive', null));
await press('Deactivate here');
await dialog.getByText('Without an active licence these modules go off at once: Webhooks. Their data stays.').waitFor();
await accessible(page, 'licence: what goes off');
await dialog.getByRole('button', { name: 'Run' }).click();
await dialog.waitFor({ state: 'detached' });
await is('stored', 'The key is stored and not activated on this installation.', 'Activate here');

await end();
