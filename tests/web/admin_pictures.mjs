// Pictures of every screen of the admin, full, empty and failing: run by `admin_test.py … take_pictures [SCREEN…]`, as
// FOLDER/{screen}-{state}-{width}-{scheme}.png; PICTURES names the folder, SHOWN widths and schemes ("1280-light"). PHONES=all
// takes all screens as a phone shows them, not only those that are used there; ADMIN_LANGUAGE=de in German. A SCREEN is the
// beginning or the end of a picture's name: "trips-", "seasons".
import fs from 'node:fs';

import { changed, paths } from './changed.mjs';
import { filled } from './filled.mjs';
import { go, lists, opened, staff } from './support.mjs';

const folder = process.env.PICTURES ?? 'pictures';
const shown = (process.env.SHOWN ?? '1280-light,1280-dark,360-light,360-dark').split(',').map((one) => one.split('-'));
const on_phones = process.env.PHONES === 'all' ? /./ : /^(today|bookings|bookings-\d+|departures-\d+-\d+|departures|bookings-new|(reports|tools)(-.+)?)$/;

async function take(page, name, state) {
  for (const [width, scheme] of shown) {
    if (width === '360' && !on_phones.test(name)) continue;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: Number(width), height: width === '360' ? 740 : 900 });
    await page.screenshot({ path: `${folder}/${name}-${state}-${width}-${scheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 900 });
}
const reports = ['bookings', 'revenue', 'customers', 'payments', 'taxes', 'departures'].map((type) => `/reports/${type}`);
const name_of = (path) => path.replace(/^\//, '').replace(/[/?=&]+/g, '-') || 'today';

export async function take_pictures(only) {
  fs.mkdirSync(folder, { recursive: true });
  await filled();
  const [destination] = await staff('GET', '/destinations?per_page=1');
  const [enquiry] = await staff('GET', '/enquiries?per_page=1');
  const [file] = await staff('GET', '/media?per_page=1');
  const [discount] = await staff('GET', '/discounts?per_page=1');
  const attribute = (await staff('GET', '/attributes?per_page=100')).find((one) => one.field_options?.length);
  const some = [file && `/media/${file.id}`, discount && `/discounts/${discount.id}`, attribute && `/attributes/${attribute.id}`, '/attributes?view=order', '/scheduled-payments/outstanding'].filter(Boolean);
  const all = [...new Set([...(await paths()), ...lists, ...some, `/destinations/${destination.id}`, ...(enquiry ? [`/enquiries/${enquiry.id}`] : []), '/everything', '/first-steps', '/destinations/new', '/discounts/new', '/departures?view=list', ...reports, '/tools/export', '/tools/import', '/tools/jobs', '/nothing-such'])];
  for (const state of (process.env.STATES ?? 'full,empty,fails').split(',')) {
    const page = await opened('administrator', state === 'full' ? { language: process.env.ADMIN_LANGUAGE } : { script: [changed, { document_: { paths: {} }, kind: state }] });
    for (const path of all) {
      const name = name_of(path);
      if (only.length && !only.some((one) => name.startsWith(one) || name.endsWith(one))) continue;
      await go(page, `/admin${path}`);
      await take(page, name, state);
    }
    await page.done();
  }
  console.log(`${fs.readdirSync(folder).length} pictures in ${folder}`);
}
