// Reports and tools: figures with their rows and files, an export, an import with its mapping and undo, logs, caches.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

export async function reports() {
  const page = await opened('administrator');
  const told = await staff('GET', '/reports?from=2023-01-01&to=2030-12-31');
  await go(page, '/admin/reports?from=2023-01-01&to=2030-12-31');
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  const figure = page.locator('.svc-figures > *').filter({ hasText: /^Bookings/ }).getByRole('button');
  const total = Number(await figure.innerText());
  assert(total >= told.booking_stats.total, `${total} bookings`); // other parts book meanwhile
  assert((await page.locator('svg.svc-chart').count()) >= 3);
  assert.equal(await page.locator('svg.svc-chart').count(), await page.getByText('As a table').count(), 'each chart has its table');
  // The average holds bookings that were refunded in full: it says so.
  await page.locator('.svc-figures').getByText(/ a booking, those refunded in full included$/).waitFor();
  await accessible(page, 'reports');
  // A figure opens the rows that it was added up from.
  await figure.click();
  const dialog = page.getByRole('dialog', { name: 'Bookings' });
  const rows = Number(/^(\d+) rows?/.exec(await dialog.getByText(/^\d+ rows?/).innerText())[1]);
  assert(rows >= total, `${rows} rows of ${total} bookings`);
  assert.equal(await dialog.locator('tbody tr').count(), Math.min(rows, 50));
  await accessible(page, 'rows of a figure');
  await dialog.getByRole('button', { name: 'Close' }).click();
  for (const [kind, address] of [['Revenue', 'revenue'], ['Bookings', 'bookings'], ['Trips', 'trips'], ['Departures', 'departures'], ['Customers', 'customers'], ['Payments', 'payments'], ['Tax', 'taxes']]) {
    await page.getByRole('navigation', { name: 'Kind of report' }).getByRole('link', { name: kind, exact: true }).click();
    await page.waitForURL(new RegExp(`/reports/${address}`));
    await settled(page);
    await accessible(page, `report ${kind}`, { contrast: false });
  }
  // An address shows its own report, or that there is none.
  await go(page, '/admin/reports/taxes');
  assert.equal(await page.locator('nav.svc-tabs [aria-current=page]').innerText(), 'Tax');
  await page.locator('.svc-figures').getByText('Tax').waitFor();
  await go(page, '/admin/reports/weather');
  await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
  await go(page, '/admin/reports/bookings');
  for (const [label, value] of [['Days', '12'], ['A bar for each', 'week'], ['By the day of', 'travel'], ['Compare with', 'year']]) await page.getByRole('combobox', { name: label, exact: true }).selectOption(value);
  await page.waitForURL(/group_by=week.*basis=travel.*compare=year/);
  await settled(page);
  for (const [item, begins] of [['This report as CSV', '\ufeff'], ['This report as XLSX', 'PK'], ['Its rows as CSV', '\ufeff'], ['Its rows as XLSX', 'PK']]) {
    await page.getByRole('button', { name: 'Save' }).click();
    const file = await saved(page, () => page.getByRole('menuitem', { name: item }).click());
    assert(file.bytes.toString(begins === 'PK' ? 'latin1' : 'utf8').replace(/^\ufeff/, '').length > 20, item);
    assert(file.name.endsWith(item.endsWith('CSV') ? '.csv' : '.xlsx'), file.name);
    if (begins === 'PK') assert.equal(file.bytes.subarray(0, 2).toString(), 'PK');
  }
  refuses(page);
  await page.done();
  // On a phone the first section is open and the others are folded, each with its heading.
  const phone = await opened('administrator', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await go(phone, '/admin/reports?from=2023-01-01&to=2030-12-31');
  const sections = phone.locator('details.svc-section');
  await sections.first().waitFor();
  assert((await sections.count()) > 10);
  assert.equal(await phone.locator('details.svc-section[open]').count(), 1);
  const high = await phone.evaluate(() => document.documentElement.scrollHeight);
  assert(high < 3200, `the overview is ${high} px high on a phone`);
  await accessible(phone, 'reports on a phone');
  await sections.nth(1).locator('summary').first().click();
  await sections.nth(1).locator('svg.svc-chart, table, .svc-empty').first().waitFor();
  refuses(phone);
  await phone.done();
  // Without the right to see amounts there are none.
  const manager = await opened('manager');
  await go(manager, '/admin/reports');
  assert.equal(await manager.locator('.svc-figures').getByText('Revenue').count(), 0);
  assert.equal(await manager.locator('nav.svc-tabs').getByText('Revenue').count(), 0);
  await go(manager, '/admin/reports/taxes');
  await manager.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
  refuses(manager);
  await manager.done();
}

export async function tools() {
  const page = await opened('administrator');
  await go(page, '/admin/tools');
  await page.getByText('No jobs yet.').waitFor();
  for (const part of ['jobs', 'export', 'import', 'migration', 'logs', 'cron', 'caches', 'status']) {
    await go(page, `/admin/tools/${part}`);
    await accessible(page, `tools/${part}`);
    assert.equal(await page.locator('main .svc-failure').count(), 0, part);
  }
  // An export, left and found again, with its file.
  await go(page, '/admin/tools/export');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByText('The export has started.').waitFor();
  await go(page, '/admin/tools/jobs');
  const exported = page.locator('.svc-job').filter({ hasText: 'Export' }).first();
  await exported.getByRole('button', { name: 'Download' }).waitFor();
  const archive = await saved(page, () => exported.getByRole('button', { name: 'Download' }).click());
  assert.equal(archive.bytes.subarray(0, 2).toString(), 'PK');
  await accessible(page, 'a finished job');

  // A table whose columns are mapped, first as a dry run that tells which rows fail, then undone.
  const table = 'Vorname;Nachname;Mail\nGrace;Hopper;grace@example.org\nAlan;Turing;no address\n';
  await go(page, '/admin/tools/import');
  await page.getByLabel(/^File/).setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  for (const [column, field] of [['Vorname', 'first_name'], ['Nachname', 'last_name'], ['Mail', 'email']]) await page.getByLabel(`Column ${column} becomes`).selectOption(field);
  await accessible(page, 'columns of an import');
  await page.getByRole('button', { name: 'Try it' }).click();
  const tried = page.locator('.svc-job').filter({ hasText: 'Import' }).first();
  await tried.getByRole('button', { name: 'What failed' }).waitFor();
  const faults = await saved(page, () => tried.getByRole('button', { name: 'What failed' }).click());
  assert.match(faults.bytes.toString(), /no address|e-?mail/i);
  assert.equal((await staff('GET', '/customers?search=grace@example.org')).length, 0, 'a dry run stores nothing');
  // The refused row stands in the page with its reason, by the column of the file; the others are one button away.
  await page.getByRole('region', { name: 'Refused rows' }).getByText(/^Mail \(email\): /).waitFor();
  await accessible(page, 'what a dry run found');
  await page.getByRole('button', { name: 'Import the 1 good row now' }).click();
  await page.getByText('1 row was stored').waitFor();
  await page.locator('.svc-job').first().getByRole('button', { name: 'Undo' }).waitFor();
  assert.equal((await staff('GET', '/customers?search=grace@example.org')).length, 1);
  await page.locator('.svc-job').first().getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The import is being undone.').first().waitFor();
  for (let tries = 0; (await staff('GET', '/customers?search=grace@example.org')).length && tries < 600; tries += 1) await page.waitForTimeout(100);
  assert.equal((await staff('GET', '/customers?search=grace@example.org')).length, 0, 'undone');

  // Trips of a spreadsheet program in Windows-1250, with German heads: all that was chosen stays after the dry run.
  const of_1250 = (text) => Buffer.from([...text].map((letter) => ({ ř: 0xf8, á: 0xe1, ý: 0xfd })[letter] ?? letter.charCodeAt(0)));
  await go(page, '/admin/tools/import');
  await page.getByLabel(/^File/).setInputFiles({ name: 'trips.csv', mimeType: 'text/csv', buffer: of_1250('sep=;\r\nTitel;Kürzel;Preis;Tage\r\nDvořák walk;dvorak-walk;1.299,50;3\r\nNew walk;new-walk;12,5;x\r\n'.replace('ü', 'u')) });
  await page.getByLabel('Each row is one of').selectOption('trips');
  await page.getByLabel('Column Kurzel becomes').selectOption('slug');
  await page.getByText(/The file does not say its encoding and is read as windows-1250/).waitFor();
  await page.getByRole('cell', { name: /Dvořák walk/ }).waitFor();
  await page.getByRole('cell', { name: /1\.299,50 → 1299\.5 · 12,5 → 12\.5/ }).waitFor();
  await page.getByText(/^Row 4: Tage \(duration\): /).waitFor();
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await page.getByRole('cell', { name: /Dvoøák walk/ }).waitFor();
  await page.getByLabel('Encoding').selectOption('');
  await page.getByRole('cell', { name: /Dvořák walk/ }).waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Import the 1 good row now' }).waitFor();
  assert.equal(await page.getByLabel('Each row is one of').inputValue(), 'trips');
  assert.equal(await page.getByLabel('Column Kurzel becomes').inputValue(), 'slug');
  await page.getByLabel('Dry run').uncheck();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('1 row was stored').waitFor();
  assert.equal((await staff('GET', '/trips?search=dvorak')).map((trip) => `${trip.title} ${trip.regular_price}`).join(), 'Dvořák walk 1299.5');
  await page.locator('.svc-job').first().getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The import is being undone.').first().waitFor();
  // A workbook is no table.
  await page.getByLabel(/^File/).setInputFiles({ name: 'trips.xlsx', mimeType: 'application/zip', buffer: Buffer.from(`PK\x03\x04${'x'.repeat(26)}[Content_Types].xml xl/workbook.xml`, 'latin1') });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText(/Save it there as CSV/).first().waitFor();

  // A list is one file of the server's, with its filters.
  await go(page, '/admin/customers');
  for (const [format, begins] of [['CSV', '\ufeff"'], ['XLSX', 'PK']]) {
    const file = await saved(page, () => page.getByRole('button', { name: `Save as ${format}` }).click());
    assert(file.bytes.toString('utf8').startsWith(begins), format);
  }

  // The list of travelers is saved to be corrected, and comes back in: each column is its own field at once.
  await go(page, '/admin/travelers');
  const travelers = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
  await go(page, '/admin/tools/import');
  await page.getByLabel(/^File/).setInputFiles({ name: travelers.name, mimeType: 'text/csv', buffer: travelers.bytes });
  await page.getByLabel('Each row is one of').selectOption('travelers');
  await page.getByLabel('A record that is here already').selectOption('update');
  await page.locator('select[aria-label="Column traveler_id becomes"] option[value=traveler_id]').waitFor({ state: 'attached' });
  for (const [column, field] of [['booking_reference', 'booking_reference'], ['traveler_id', 'traveler_id'], ['first_name', 'first_name'], ['trip', '']]) assert.equal(await page.getByLabel(`Column ${column} becomes`, { exact: true }).inputValue(), field);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText(/^Not taken from this file, because only the program changes it: booking_status/).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Refused rows' }).count(), 0);

  // A former installation's export: staged, tried, cleared.
  const wxr = '<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version><item><title>Old walk</title><content:encoded><![CDATA[A walk.]]></content:encoded><wp:post_id>7</wp:post_id><wp:post_name>old-walk</wp:post_name><wp:status>publish</wp:status><wp:post_type>tour</wp:post_type></item>' + ['page', 'gallery_item'].map((type, at) => `<item><title>${type}</title><content:encoded><![CDATA[Text.]]></content:encoded><wp:post_id>${at + 8}</wp:post_id><wp:post_name>${type}</wp:post_name><wp:status>publish</wp:status><wp:post_type>${type}</wp:post_type></item>`).join('') + '</channel></rss>';
  await go(page, '/admin/tools/migration');
  await page.getByLabel(/^File/).setInputFiles({ name: 'former.xml', mimeType: 'text/xml', buffer: Buffer.from(wxr) });
  await page.getByRole('button', { name: 'Stage it' }).click();
  await page.getByRole('button', { name: 'Try all' }).click();
  await page.getByText('The dry run has started.').waitFor();
  await page.locator('.svc-job').filter({ hasText: 'Migration' }).getByText('Completed').first().waitFor();
  await accessible(page, 'a migration');
  const left = { en: ['Pages', 'Posts of the type “gallery_item”', /no settings of plugins/], de: ['Seiten', 'Beiträge der Art „gallery_item“', /keine Einstellungen von Plugins/] };
  for (const [language, said] of Object.entries(left)) {
    const reader = await opened('administrator', { language });
    await go(reader, '/admin/tools/migration');
    await reader.getByRole('cell', { name: said[0], exact: true }).waitFor();
    await reader.getByRole('cell', { name: said[1], exact: true }).waitFor();
    await reader.getByText(said[2]).waitFor();
    refuses(reader);
    await reader.done();
  }
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Nothing is staged yet.').waitFor();

  // Jobs by the clock, caches, logs.
  await go(page, '/admin/tools/cron');
  await page.getByRole('button', { name: /^Run .* now$/ }).first().click();
  await page.getByText(/^Done in /).waitFor();
  await go(page, '/admin/tools/caches');
  await page.getByLabel('Use caches').click();
  await page.getByText('Caches are off.').first().waitFor();
  await page.getByLabel('Use caches').click();
  await page.getByText('Caches are on.').waitFor();
  await page.getByRole('button', { name: 'Fill beforehand' }).click();
  await page.getByText('Filled.').waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByText('Cleared, in all processes.').waitFor();
  await go(page, '/admin/tools/logs');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Level').selectOption('info');
  await page.waitForURL(/level=info/);
  await settled(page);
  refuses(page, 400);
  await page.done();
}
