// The admin in Chromium: run by admin_test.py, which starts the server. Words after it name the parts to run. Parts do
// not depend on one another: several run beside each other, each in a browser session of its own.
import fs from 'node:fs';

import { DATABASE, browser, called, failures } from './support.mjs';

const beside = Number(process.env.SVC_WEB_TESTS_BESIDE ?? 3);
const parts = {};
for (const folder of ['parts', 'regression'])
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.mjs')).sort())
    for (const [name, run] of Object.entries(await import(`./${folder}/${file}`))) parts[name] = run;

const wanted = process.argv.slice(2);
const quick = ['clerk']; // what asks the database in ways of its own
const queue = wanted.length ? [...wanted] : DATABASE === 'postgres' ? quick : Object.keys(parts);
const last = ['changed_settings']; // what changes the site under the others' feet
// What takes long begins first, so that nothing runs alone at the end.
const long = ['roles_first', 'roles_second', 'lists_first', 'nulls', 'ten_thousand', 'tools', 'clerk', 'lists_second', 'records_first', 'records_second', 'languages'];
const place = (name) => (last.includes(name) ? 99 : long.includes(name) ? long.indexOf(name) : 50);
queue.sort((a, b) => place(a) - place(b));
let told = 0;
async function work() {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const began = Date.now();
    const before = failures.length;
    try {
      await parts[name]();
    } catch (error) {
      failures.push(`${name}: ${error.stack}`);
    }
    console.log(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s${failures.length > before ? ' FAILED, or another part beside it' : ''}`);
    while (told < failures.length) console.log(`  ${failures[told++]}`);
  }
}
await Promise.all(Array.from({ length: Math.min(beside, queue.length) }, work));
await browser.close();
console.log(`${called.size} routes were called`);
if (process.env.SVC_WEB_TESTS_ROUTES) fs.writeFileSync(process.env.SVC_WEB_TESTS_ROUTES, `${[...called].sort().join('\n')}\n`);
for (const one of new Set(failures)) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
