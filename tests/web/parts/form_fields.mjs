// The booking form: conditions, fields that follow an answer and files, edited by staff, seen in the preview, and answered
// by visitors with and without a script.
import assert from 'node:assert/strict';

import { BASE, accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const pdf = { name: 'My passport.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n') };

const given_trip = (title) =>
  staff('POST', '/trips', { title, summary: 'Under water.', regular_price: 100, pricing_type: 'regular', duration: 1, status: 'publish' });

// Other parts book meanwhile: only this trip is asked otherwise.
async function ask_of(trip, contact, travelers) {
  const form = await staff('GET', '/settings/booking-form');
  const condition = (fields, title) => ({ id: `c${trip.id}`, title, description: '', fields, targets: { trips: [trip.id], categories: [], trip_types: [] } });
  form.contact_form.conditions.unshift(condition(contact, 'Contact'));
  form.traveler_form.conditions.unshift(condition(travelers, 'Travelers'));
  form.emergency_contact_form.conditions.unshift(condition([], ''));
  await staff('PUT', '/settings/booking-form', form);
}

const choices = (...values) => values.map((value) => ({ value, label: value }));
const diving = [
  { id: 'dives', type: 'radio', label: 'Do you dive?', required: true, options: choices('yes', 'no') },
  { id: 'level', type: 'select', label: 'Level', required: true, options: choices('open_water', 'master'), show_if: { field: 'dives', operator: 'is', values: ['yes'] } },
  { id: 'wish', type: 'text', label: 'Wish for the dive', show_if: { field: 'level', operator: 'is_filled' } },
];
const papers = [
  { id: 'passport', type: 'file', label: 'Passport', required: true, show_if: { section: 'contact_form', field: 'dives', operator: 'is', values: ['yes'] } },
  { id: 'size', type: 'number', label: 'Shoe size', min: 20, max: 50 },
];

async function begin(page, trip) {
  const [date] = (await (await fetch(`${BASE}/svc/v1/trips/${trip.id}/available-dates`)).json()).data;
  await page.goto(`${BASE}/book/${trip.slug}?date=${date.date}&travelers=2`);
  await page.locator('.svc-booking > form button[type=submit]').first().click();
  await page.waitForURL(/details/);
}

async function fill_contact(page) {
  for (const [name, value] of Object.entries({ first_name: 'Ada', last_name: 'Lovelace', email: `ada${Date.now()}@example.org`, phone: '+44 20 7946 0000' }))
    await page.locator(`[name=contact_${name}]`).fill(value);
  await page.locator('[name=contact_country]').selectOption('GB');
}
const go_on = (page) => page.locator('.svc-actions button[type=submit]').click();
const by_name = (page, name) => page.locator(`[name="${name}"]:not([type=hidden])`);

async function edited() {
  const trip = await given_trip('Reef to be asked');
  const page = await opened('administrator');
  await go(page, '/admin/booking-form');
  const contact = page.locator('.svc-section', { has: page.getByRole('heading', { name: 'Contact', exact: true }) });
  await contact.getByRole('button', { name: 'Ask otherwise for certain trips' }).click();
  await page.getByRole('heading', { name: /^Condition \d+ of Contact$/ }).waitFor();
  await page.locator('main').getByLabel('Trips', { exact: true }).fill('Reef to be');
  await page.getByRole('option', { name: /Reef to be asked/ }).click();
  await page.getByLabel('Title').fill('Divers');
  await accessible(page, 'a condition');
  // A question with options, and one that follows it.
  const row = (id) => page.locator('.svc-edit tbody tr').filter({ has: page.getByLabel(`Label of ${id}`, { exact: true }) });
  const add = async (kind, label, then) => {
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.locator('.svc-edit tbody tr').last().locator('select').first().selectOption(kind);
    await page.locator('.svc-edit tbody tr').last().getByRole('button', { name: /^Details/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Question').fill(label);
    await then(dialog);
    await accessible(page, `details of ${label}`);
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await add('radio', 'Do you dive?', async (dialog) => {
    await dialog.getByLabel('Short name').fill('Dives too');
    await dialog.getByLabel(/^Options/).fill('yes\nno');
  });
  await add('number', 'Deepest dive', async (dialog) => {
    await dialog.getByLabel('Short name').fill('depth');
    await dialog.getByLabel('Largest answer').fill('60');
    await dialog.getByLabel('Only if the answer to').selectOption({ label: 'Do you dive?' });
    await dialog.getByLabel('Answer', { exact: true }).selectOption('yes');
  });
  await page.getByText('Only if Do you dive? is Yes').waitFor();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await contact.getByText('For trips Reef to be asked').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The booking form is saved.').waitFor();
  const stored = (await staff('GET', '/settings/booking-form')).contact_form.conditions.find((one) => one.targets.trips.includes(trip.id));
  assert.equal(stored.title, 'Divers');
  assert.deepEqual(stored.fields.find((one) => one.id === 'depth').show_if, { field: 'dives_too', operator: 'is', values: ['yes'] });
  // The preview says it as it is asked.
  await page.locator('#preview').getByLabel('Trip').fill('Reef to be');
  await page.getByRole('option', { name: /Reef to be asked/ }).click();
  await page.locator('#preview').getByRole('row', { name: /Deepest dive.*if Do you dive\? is Yes/ }).waitFor();
  await settled(page);
  await accessible(page, 'the booking form with a preview');
  // A circle is refused at the field.
  await contact.getByRole('button', { name: /^Edit Condition/ }).first().click();
  await row('dives_too').getByRole('button', { name: /^Details/ }).click();
  await page.getByRole('dialog').getByLabel('Only if the answer to').selectOption({ label: 'Deepest dive' });
  await page.getByRole('dialog').getByLabel('Comparison').selectOption('is_filled');
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await row('dives_too').locator('.svc-error').waitFor();
  refuses(page, 400);
  // Removed again.
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await contact.getByRole('button', { name: /^Remove Condition/ }).first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The booking form is saved.').last().waitFor();
  await page.done();
}

// On the booking's own page, after booking: the files, and one that replaces another.
async function later(page, id, code) {
  const part = page.locator('#answers');
  await part.getByRole('link', { name: 'My passport.pdf' }).first().waitFor();
  await accessible(page, 'answers and files on the page of a booking');
  const [download] = await Promise.all([page.waitForEvent('download'), part.getByRole('link', { name: 'My passport.pdf' }).first().click()]);
  assert.equal(download.suggestedFilename(), code);
  // One that is refused says so at its field.
  await part.locator('input[type=file]').first().setInputFiles({ ...pdf, name: 'new.exe.pdf' });
  await part.getByRole('button', { name: 'Save the answers' }).click();
  await page.locator('[id="e-travelers.1.passport"]').waitFor();
  await accessible(page, 'a file that was refused after booking');
  await part.locator('input[type=file]').first().setInputFiles({ ...pdf, name: 'New passport.pdf' });
  await part.getByRole('button', { name: 'Save the answers' }).click();
  await page.getByText('Your answers are saved.').waitFor();
  await part.getByRole('link', { name: 'New passport.pdf' }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  assert((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'the page of a booking is wider than a phone');
  await page.setViewportSize({ width: 1280, height: 900 });
  refuses(page, 400);
  const booking = await staff('GET', `/bookings/${id}`);
  const now = booking.travelers[0].fields.passport;
  assert.notEqual(now, code);
  const history = await staff('GET', `/bookings/${id}/history`);
  assert(history.some((one) => one.actor === 'customer' && (one.changes ?? []).some((change) => change.field === 'passport' && change.withheld)));
  return now;
}

// A role without the right to sealed answers sees that there is one, on a desk and on a phone in German.
async function sealed(id) {
  for (const options of [{}, { language: 'de', viewport: { width: 360, height: 740 } }]) {
    const page = await opened('sales_agent', options);
    await go(page, `/admin/bookings/${id}`);
    assert.equal(await page.getByRole('button', { name: 'Passport' }).count(), 0);
    if (!options.language) {
      await page.locator('.svc-section', { has: page.getByRole('heading', { name: 'Travelers' }) }).getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Travelers' });
      await dialog.getByText('Sealed: your role may not read this answer.').first().waitFor();
      await accessible(page, 'travelers with a sealed answer');
      // Saved as it is, the answer stays.
      await dialog.getByLabel('Last name').last().fill('Lovelace-King');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await settled(page);
    assert((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    refuses(page);
    await page.done();
  }
  const booking = await staff('GET', `/bookings/${id}`);
  for (const one of booking.travelers) assert.match(one.fields.passport, /^file-/);
}

async function answered() {
  const trip = await given_trip('Reef to dive');
  await ask_of(trip, diving, papers);
  const page = await opened(null);
  await begin(page, trip);
  await fill_contact(page);
  const level = by_name(page, 'contact_level'), passport = page.locator('input[type=file]').first();
  assert.equal(await level.isVisible(), false);
  assert.equal(await passport.isVisible(), false);
  await page.locator('[name=contact_dives][value=yes]').check();
  await level.waitFor();
  await passport.waitFor();
  await accessible(page, 'details with questions that follow');
  await level.selectOption('master');
  await by_name(page, 'contact_wish').fill('Whales');
  for (const at of [1, 2]) await by_name(page, `travelers.${at}.passport`).setInputFiles(pdf);
  await by_name(page, 'travelers.1.size').fill('41');
  await by_name(page, 'travelers.2.first_name').fill('Bo');
  // What people who travel together have in common.
  await page.getByRole('button', { name: 'Copy from the lead traveler' }).click();
  await page.getByText('My passport.pdf').first().waitFor();
  assert.equal(await by_name(page, 'travelers.2.last_name').inputValue(), 'Lovelace');
  assert.equal(await by_name(page, 'travelers.2.size').inputValue(), '41');
  await go_on(page);
  await page.waitForURL(/\/pay/);
  await page.locator('.svc-actions button[type=submit], button[value=book]').last().click();
  await page.waitForURL(/confirmation/);
  const [made] = await staff('GET', `/bookings?trip_id=${trip.id}`);
  const booking = await staff('GET', `/bookings/${made.id}`);
  assert.equal(booking.contact_data.wish, 'Whales');
  const code = booking.travelers[0].fields.passport;
  assert.match(code, /^file-[0-9a-z]{12}\.pdf$/);
  const replaced = await later(page, made.id, code);
  await page.done();
  await sealed(made.id);
  // Staff see the file, and an answer that hides others empties them.
  const desk = await opened('administrator');
  await go(desk, `/admin/bookings/${made.id}`);
  const [download] = await Promise.all([desk.waitForEvent('download'), desk.getByRole('button', { name: 'Passport' }).first().click()]);
  assert.equal(download.suggestedFilename(), replaced);
  await desk.getByRole('button', { name: 'Edit the contact' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Do you dive?').selectOption('no');
  await dialog.getByLabel('Level').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const now = await staff('GET', `/bookings/${made.id}`);
  assert.equal(now.contact_data.wish || '', '');
  assert.equal(now.travelers[0].fields.passport, undefined);
  assert.deepEqual(await staff('GET', `/bookings/${made.id}/form-files`), []);
  await desk.done();
}

async function without_script() {
  const trip = await given_trip('Reef without a script');
  await ask_of(trip, diving, papers);
  const page = await opened(null, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await begin(page, trip);
  await fill_contact(page);
  await page.locator('[name=contact_dives][value=yes]').check();
  await by_name(page, 'travelers.2.first_name').fill('Bo');
  await by_name(page, 'travelers.2.last_name').fill('Lovelace');
  assert.equal(await by_name(page, 'contact_level').isVisible(), false);
  await go_on(page);
  // The next step shows what the answer asks.
  await by_name(page, 'contact_level').waitFor();
  assert.match(page.url(), /\/details/);
  assert.equal(await page.locator('.svc-error').count() > 1, true);
  await by_name(page, 'contact_level').selectOption('master');
  await by_name(page, 'travelers.1.passport').setInputFiles(pdf);
  await by_name(page, 'travelers.2.passport').setInputFiles({ ...pdf, name: 'passport.exe.pdf' });
  await go_on(page);
  // A level asks for a wish; and a name with two endings is refused at its field.
  await by_name(page, 'contact_wish').waitFor();
  await page.locator('[id="e-travelers.2.passport"]').waitFor();
  assert.equal(await page.locator('[id="e-travelers.1.passport"]').count(), 0);
  await by_name(page, 'travelers.2.passport').setInputFiles(pdf);
  await go_on(page);
  await page.waitForURL(/\/pay/);
  await page.locator('.svc-actions button[type=submit], button[value=book]').last().click();
  await page.waitForURL(/confirmation/);
  // After booking, without a script too.
  const part = page.locator('#answers');
  await part.locator('input[type=file]').last().setInputFiles({ ...pdf, name: 'Bo.pdf' });
  await part.getByRole('button', { name: 'Save the answers' }).click();
  await part.getByRole('link', { name: 'Bo.pdf' }).waitFor();
  assert((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  refuses(page, 400);
  await page.done();
}

// One after the other: all three write the one form.
export async function form_fields() {
  await edited();
  await answered();
  await without_script();
}
