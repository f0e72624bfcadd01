// The admin in Chromium: run by admin_test.py, which starts the server. Words after it name the parts to run. Parts do
// not depend on one another: several run beside each other, each in a browser session of its own.
import fs from 'node:fs';
import path from 'node:path';

import { calls_of_admin, untested } from './calls_of_admin.mjs';
import { DATABASE, browser, called, failures, spent } from './support.mjs';

const cost = process.env.SVC_WEB_TESTS_COST; // tells what it takes; of each part where one runs alone
const beside = Number(process.env.SVC_WEB_TESTS_BESIDE ?? 2);
const parts = {};
for (const folder of ['parts', 'regression'])
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.mjs')).sort())
    for (const [name, run] of Object.entries(await import(`./${folder}/${file}`))) parts[name] = run;

const wanted = process.argv.slice(2);
if (wanted[0] === 'take_pictures') {
  await (await import('./admin_pictures.mjs')).take_pictures(wanted.slice(1));
  await browser.close();
  process.exit(0);
}
const quick = ['clerk']; // what asks the database in ways of its own
const queue = wanted.length ? [...wanted] : DATABASE === 'postgres' ? quick : Object.keys(parts);
const last = ['changed_settings']; // what changes the site under the others' feet
// Long parts begin first, so that nothing runs alone at the end.
const long = ['every_mail', 'roles_first', 'roles_second', 'lists_first', 'nulls', 'ten_thousand', 'tools', 'clerk', 'lists_second', 'records_first', 'records_second', 'languages'];
const place = (name) => (last.includes(name) ? 99 : long.includes(name) ? long.indexOf(name) : 50);
queue.sort((a, b) => place(a) - place(b));
// Alone: the first while there are few departures, which all become events of the calendar; the other writes the one
// booking form, which others read.
const taken = (names) => names.filter((name) => queue.includes(name)).map((name) => queue.splice(queue.indexOf(name), 1)[0]);
const [before_all, after_all] = [taken(['google_calendar']), taken(['form_fields'])];
// The processor time of this process and all below it, those that have ended included.
function processor_seconds() {
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const parts = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      return [{ pid: Number(pid), parent: Number(parts[1]), ticks: parts.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
  const below = (pid) => all.filter((one) => one.parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return [...all.filter((one) => one.pid === process.pid), ...below(process.pid)].reduce((sum, one) => sum + one.ticks, 0) / 100;
}
let told = 0;
async function work(names) {
  for (let name = names.shift(); name; name = names.shift()) {
    const began = Date.now();
    const used = cost ? processor_seconds() : 0;
    const before = failures.length;
    try {
      await parts[name]();
    } catch (error) {
      failures.push(`${name}: ${error.stack}`);
    }
    console.log(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s${cost && beside === 1 ? `, ${(processor_seconds() - used).toFixed(1)} of processor` : ''}${failures.length > before ? ' FAILED, or another part beside it' : ''}`);
    while (told < failures.length) console.log(`  ${failures[told++]}`);
  }
}
await work(before_all);
await Promise.all(Array.from({ length: Math.min(beside, queue.length) }, () => work(queue)));
await work(after_all);
if (cost) console.log(`browser and script used ${processor_seconds().toFixed(0)} s of processor; ${spent.runs} runs of axe took ${(spent.axe / 1000).toFixed(0)} s`);
await browser.close();
console.log(`${called.size} routes were called`);
if (process.env.SVC_WEB_TESTS_ROUTES) fs.writeFileSync(process.env.SVC_WEB_TESTS_ROUTES, `${[...called].sort().join('\n')}\n`);
if (!wanted.length && DATABASE !== 'postgres')
  for (const one of untested(calls_of_admin(process.env.SOURCES), called, path.join(process.env.SOURCES, '../../tests'))) failures.push(`the admin calls ${one}, and no test does`);
for (const one of new Set(failures)) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
