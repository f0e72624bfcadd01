// Consent: a form is made, a party of two with a minor is asked, one signs by the keyboard alone and in German, a guardian
// draws; booking and departure say who has signed, and nobody unsigned is checked in.
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { ahead } from '../filled.mjs';
import { BASE, accessible, api, browser, failures, go, mailed, opened, refuses, settled, staff } from '../support.mjs';

const wide = { width: 1280, height: 900 };
const narrow = { width: 360, height: 740 };

// Somebody with the mail's link, in a browser of their own without cookies.
async function stranger(options = {}) {
  const page = await (await browser.newContext({ viewport: wide, reducedMotion: 'reduce', ...options })).newPage();
  page.setDefaultTimeout(60000);
  page.on('pageerror', (error) => failures.push(`signer: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) failures.push(`signer: ${message.text()}`);
  });
  return page;
}

// A picture of the page beside the test, for who wants to look at it.
async function picture(page, name) {
  const folder = process.env.PICTURES;
  if (!folder) return;
  fs.mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

const wider = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

async function fill_form(page) {
  await page.getByLabel('Title, as travelers read it').fill('Waiver for the walk');
  await page.getByLabel('Introduction').fill('Please read all of it before you sign.');
  await page.getByRole('button', { name: 'Add: Heading' }).click();
  await page.getByLabel('Title of part 1').fill('What you undertake');
  await page.getByRole('button', { name: 'Add: Terms, in a frame' }).click();
  await page.getByLabel('Title of part 2').fill('Liability');
  await page.getByLabel('Text of part 2').fill('I take part at my own risk.\n\nI follow the guide.');
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByLabel('Question 1').fill('Allergies');
  await page.getByLabel('Health: stored sealed').check();
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByLabel('Question 2').fill('How well do you swim?');
  await page.getByLabel('Kind of How well do you swim?').selectOption('select');
  await page.getByLabel('Required').nth(1).check();
}

async function form_is_made(desk) {
  await go(desk, '/admin/consent/forms');
  await desk.getByText(/^No form yet/).waitFor();
  await accessible(desk, 'no consent form');
  await desk.getByRole('link', { name: 'New form' }).first().click();
  await desk.getByRole('heading', { name: 'New consent form' }).waitFor();
  await fill_form(desk);
  // A choice without options is refused at its row.
  await desk.getByRole('button', { name: 'Save' }).first().click();
  await desk.getByText('Enter at least one option.').first().waitFor();
  await accessible(desk, 'a consent form that was refused');
  await desk.getByLabel('Options of How well do you swim?, one a line').fill('Well\nA little\n');
  // Rows are moved by the keyboard, too.
  await desk.getByLabel('Question 2').focus();
  await desk.keyboard.press('Alt+ArrowUp');
  assert.equal(await desk.getByLabel('Question 1').inputValue(), 'How well do you swim?');
  await desk.getByRole('button', { name: 'Preview' }).click();
  const preview = desk.getByRole('dialog', { name: 'Preview' });
  await preview.getByText('I take part at my own risk.').waitFor();
  await accessible(desk, 'preview of a consent form');
  await picture(desk, 'admin-preview');
  await preview.getByRole('button', { name: 'Back' }).click();
  await desk.getByRole('button', { name: 'Save' }).first().click();
  await desk.getByRole('button', { name: 'Publish' }).click();
  await desk.getByText('It is published, and sent from now on.').waitFor();
  await settled(desk);
  const [stored] = await staff('GET', '/consent/forms?status=publish');
  assert.deepEqual(stored.fields.map((one) => [one.label, one.type, one.health ?? false]), [['How well do you swim?', 'select', false], ['Allergies', 'text', true]]);
  assert.deepEqual(stored.fields[0].options, ['Well', 'A little']);
  await accessible(desk, 'a consent form');
  await picture(desk, 'admin-form');
  // Changed words begin a version, and the editor says so before.
  await desk.getByLabel('Introduction').fill('Please read all of it before you sign it.');
  await desk.getByText(/^A new version begins when you save/).waitFor();
  // Somebody else saved meanwhile: both versions are shown.
  await staff('PUT', `/consent/forms/${stored.id}`, { send_before_days: 9 });
  await desk.getByRole('button', { name: 'Save' }).first().click();
  await desk.getByRole('dialog', { name: 'Somebody else saved this meanwhile' }).getByRole('button', { name: 'Save mine over it' }).click();
  await desk.getByText('The form is saved.').first().waitFor();
  refuses(desk, 400, 409);
  return staff('GET', `/consent/forms/${stored.id}`);
}

async function party() {
  const trip = await staff('POST', '/trips', { title: 'Walk that is signed for', summary: 'A day out.', regular_price: 40, duration: 1 });
  await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
  const departure = await staff('POST', `/trips/${trip.id}/departures`, { start_date: ahead(40), max_capacity: 8 });
  const booking = await staff('POST', '/bookings', {
    trip_id: trip.id, travel_date: ahead(40), travelers_count: 2, status: 'confirmed', locale: 'de',
    contact_first_name: 'Ada', contact_last_name: 'Lovelace', contact_email: 'ada-signs@example.org',
  });
  const { row_version } = await staff('GET', `/bookings/${booking.id}`);
  await staff('PUT', `/bookings/${booking.id}/travellers`, {
    row_version,
    travelers: [
      { first_name: 'Ada', last_name: 'Lovelace', email: 'ada-signs@example.org', date_of_birth: '1990-05-04' },
      { first_name: 'Allegra', last_name: 'Byron', email: 'guardian-signs@example.org', date_of_birth: `${new Date().getFullYear() - 9}-01-05` },
    ],
  });
  return { trip, departure, booking };
}

// Ada signs in German, with the keyboard alone and without a drawn line.
async function signs_typed(link) {
  const page = await stranger({ locale: 'de-DE' });
  assert.equal((await page.goto(link)).headers()['cache-control'], 'private, no-store');
  await page.getByRole('heading', { level: 1, name: 'Waiver for the walk' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  await page.getByText('Wer unterschreibt').waitFor();
  await accessible(page, 'page of a consent form');
  await picture(page, 'sign-de-1280');
  await page.setViewportSize(narrow);
  assert((await wider(page)) <= 0, 'the form is wider than a phone');
  await picture(page, 'sign-de-360');
  await page.setViewportSize(wide);
  const reach = async (selector) => {
    for (let step = 0; step < 60; step += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${selector} is not reached by Tab`);
  };
  // Nothing is filled in: every fault stands at its field and in the summary, which has the focus.
  await reach('form[data-consent] button[type=submit]');
  await page.keyboard.press('Enter');
  await page.locator('#faults').waitFor();
  assert.equal(await page.locator('#faults').evaluate((one) => one === document.activeElement), true);
  assert((await page.locator('#faults li').count()) >= 3, await page.locator('#faults').innerText());
  await page.getByText('Bitte stimmen Sie der elektronischen Unterschrift zu.').first().waitFor();
  await accessible(page, 'page of a consent form with faults');
  await picture(page, 'sign-de-faults');
  // From field to field by Tab: typed, chosen, ticked, sent.
  await reach('select');
  await page.keyboard.press('ArrowDown');
  await reach('input[id^="f-a_"]');
  await page.keyboard.type('Erdnüsse');
  await reach('#f-signer_name');
  assert.equal(await page.locator('#f-signer_name').inputValue(), 'Ada Lovelace');
  await reach('#f-signature_typed');
  await page.keyboard.type('Ada Lovelace');
  await reach('#f-agree');
  await page.keyboard.press('Space');
  await reach('form[data-consent] button[type=submit]');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Danke' }).waitFor();
  await accessible(page, 'a signed consent form');
  await picture(page, 'signed-de');
  const copy = await page.getByRole('link', { name: /PDF/ }).getAttribute('href');
  const pdf = await fetch(new URL(copy, BASE));
  assert.equal(pdf.headers.get('content-type'), 'application/pdf');
  const bytes = Buffer.from(await pdf.arrayBuffer());
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  if (process.env.PICTURES) fs.writeFileSync(`${process.env.PICTURES}/signed.pdf`, bytes);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Bereits unterschrieben' }).waitFor();
  await page.context().close();
}

// The guardian of the minor draws, on a phone.
async function signs_drawn(link) {
  const page = await stranger({ viewport: narrow, deviceScaleFactor: 3 });
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Waiver for the walk' }).waitFor();
  assert.equal(await page.locator('input[type=radio][name=signing_as]').count(), 0, 'a minor does not sign');
  assert.equal(await page.locator('#f-minor_name').inputValue(), 'Allegra Byron');
  await page.locator('select').selectOption('Well');
  await page.locator('#f-signer_name').fill('George Byron');
  await page.locator('#f-guardian_relation').fill('Father');
  await page.locator('input[name=way][value=drawn]').check();
  const canvas = page.locator('canvas');
  await canvas.waitFor();
  assert.equal(await canvas.evaluate((one) => one.width / one.clientWidth >= 2.9), true, 'the lines are as sharp as the screen');
  const submit = page.locator('form[data-consent] button[type=submit]');
  await page.locator('#f-agree').check();
  await submit.click();
  await page.locator('#e-drawn').waitFor();
  await accessible(page, 'drawing a signature');
  const draw = async () => {
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 20, box.y + 90);
    await page.mouse.down();
    for (let x = 20; x < 220; x += 6) await page.mouse.move(box.x + x, box.y + 90 + 40 * Math.sin(x / 14));
    await page.mouse.up();
  };
  const ink = () => canvas.evaluate((one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some((value) => value > 0));
  await draw();
  assert.equal(await ink(), true);
  await page.locator('[data-clear]').click();
  assert.equal(await ink(), false);
  await draw();
  // Something else is wrong: the drawing comes back with the form.
  await page.locator('#f-guardian_relation').fill('');
  await submit.click();
  await page.locator('#faults').waitFor();
  await page.waitForFunction(() => {
    const one = document.querySelector('canvas');
    return one.width > 0 && one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some((value) => value > 0);
  });
  await picture(page, 'drawn-360');
  await page.locator('#f-guardian_relation').fill('Father');
  await submit.click();
  await page.waitForURL(/done=1/);
  assert((await wider(page)) <= 0);
  await page.context().close();
}

async function checked_in(desk, trip, departure, name, is_refused) {
  await go(desk, '/admin');
  await go(desk, `/admin/departures/${trip.id}/${departure.id}`);
  await desk.getByRole('button', { name: `Check in ${name}` }).click();
  if (is_refused) await desk.getByText('A consent form of this traveler is not signed yet.').waitFor();
  else await desk.getByRole('button', { name: `${name} has arrived. Take that back` }).waitFor();
}

export async function consent() {
  await staff('PUT', '/settings', { consent_blocks_check_in: true });
  const desk = await opened('administrator', {});
  const form = await form_is_made(desk);
  const { trip, departure, booking } = await party();

  // Asked by hand, from the booking's own screen.
  await go(desk, `/admin/bookings/${booking.id}`);
  await desk.getByRole('heading', { name: 'Consent: 0 of 2 signed' }).waitFor();
  for (const name of ['Ada Lovelace', 'Allegra Byron']) {
    await desk.getByRole('button', { name: `Ask ${name} to sign` }).click();
    await desk.getByText('The link is on its way.').first().waitFor();
    await settled(desk);
  }
  await accessible(desk, 'consent of a booking');
  await picture(desk, 'admin-booking');
  await checked_in(desk, trip, departure, 'Ada Lovelace', true);
  await desk.getByRole('heading', { name: 'Consent: 0 of 2 signed' }).waitFor();
  refuses(desk, 409);

  await signs_typed(await mailed('trip_consent_request', 'ada-signs@example.org'));
  await checked_in(desk, trip, departure, 'Ada Lovelace', false);
  await desk.getByRole('heading', { name: 'Consent: 1 of 2 signed' }).waitFor();
  assert.equal(await desk.locator('.svc-section', { hasText: 'Consent: 1 of 2 signed' }).getByText('Allegra Byron').count(), 1);
  await accessible(desk, 'consent of a departure');
  await picture(desk, 'admin-departure');

  // Who has not signed, sent once more: the older link ends.
  const first = await mailed('trip_consent_request', 'guardian-signs@example.org');
  await go(desk, '/admin/consent/requests?status=pending');
  await accessible(desk, 'requests to sign');
  await picture(desk, 'admin-requests');
  await desk.getByRole('row').filter({ hasText: 'Allegra Byron' }).getByText('Allegra Byron').click();
  const sheet = desk.getByRole('dialog', { name: 'Allegra Byron' });
  await accessible(desk, 'one request to sign');
  await sheet.getByRole('button', { name: 'Send again' }).click();
  await desk.getByText('A new link is on its way. Older links no longer work.').waitFor();
  let link = first;
  for (let tries = 0; link === first && tries < 100; tries += 1) link = await mailed('trip_consent_request', 'guardian-signs@example.org');
  assert.notEqual(link, first);
  assert.equal((await fetch(first)).status, 410);
  assert.equal((await fetch(`${BASE}/consent/nonsense`)).status, 404);
  await signs_drawn(link);
  await checked_in(desk, trip, departure, 'Allegra Byron', false);
  await desk.getByText('Everybody has signed.').waitFor();

  // The copy: answers, evidence, the drawn line, and its PDF.
  await go(desk, '/admin/consent/signed');
  await desk.getByRole('row').filter({ hasText: 'George Byron' }).getByText('George Byron').click();
  const copy = desk.getByRole('dialog', { name: 'George Byron' });
  await copy.getByRole('img', { name: 'Signature of George Byron' }).waitFor();
  await copy.getByText('Allegra Byron').first().waitFor();
  await copy.getByText('Hash of the answers').waitFor();
  await accessible(desk, 'a signed copy');
  await picture(desk, 'admin-signed');
  const [signed] = await staff('GET', `/consent/signed?booking_id=${booking.id}`);
  const pdf = await fetch(`${api}/consent/signed/${signed.id}/pdf`, { headers: { Authorization: process.env.STAFF } });
  assert.equal(Buffer.from(await pdf.arrayBuffer()).subarray(0, 5).toString(), '%PDF-');
  await copy.getByRole('button', { name: 'Withdraw' }).click();
  const withdraws = desk.getByRole('dialog', { name: 'Withdraw this signature?' });
  await withdraws.getByLabel('Reason').fill('The father called.');
  await withdraws.getByRole('button', { name: 'Withdraw' }).click();
  await desk.getByText('The signature is withdrawn. The traveler can be asked again.').waitFor();
  const now = await staff('GET', `/bookings/${booking.id}/consent-status`);
  assert.deepEqual([now.required, now.signed], [2, 1]);

  // A seat that is given to another person: the signature of the one before ends, and the new one is asked.
  const { row_version, travelers } = await staff('GET', `/bookings/${booking.id}`);
  await staff('PUT', `/bookings/${booking.id}/travellers`, {
    row_version,
    travelers: travelers.map((one, at) => ({ id: one.id, fields: at ? one.fields : { ...one.fields, first_name: 'Mary', last_name: 'Somerville', email: 'mary-signs@example.org' } })),
  });
  await mailed('trip_consent_request', 'mary-signs@example.org');
  await go(desk, '/admin');
  await go(desk, `/admin/bookings/${booking.id}`);
  await desk.getByRole('heading', { name: 'Consent: 0 of 2 signed' }).waitFor();
  await go(desk, '/admin/consent/signed');
  await desk.getByRole('row').filter({ hasText: 'Ada Lovelace' }).getByText('Withdrawn').waitFor();

  // The lists in German, whose words are longer; on a phone.
  const german = await opened('administrator', { language: 'de', viewport: narrow });
  for (const path of ['forms', `forms/${form.id}`, 'requests', 'signed']) {
    await go(german, `/admin/consent/${path}`);
    assert((await wider(german)) <= 0, `/consent/${path} is wider than a phone`);
    await picture(german, `admin-de-360-${path.replace('/', '-')}`);
  }
  refuses(german);
  await german.done();
  refuses(desk, 409);
  await desk.done();
  await staff('PUT', '/settings', { consent_blocks_check_in: false });
}
