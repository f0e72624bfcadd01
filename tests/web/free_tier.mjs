// The base edition alone in Chromium: no dead link, no empty screen, and no word of Pro but on the one page that says what
// it adds. Run by free_tier_test.py, which starts the server.
import assert from 'node:assert/strict';

import { BASE, browser, failures, go, opened, refuses, staff } from './support.mjs';

const about_pro = '/admin/modules'; // the one page
const of_pro = /\bPro\b|\bpremium\b|\blicen[cs]e (key|plan)\b|\bplan (personal|agency|business)\b|\bupgrade\b/i;

// One of each kind: /admin/trips/3 and /admin/trips/4 are the same screen.
const kind_of = (path) => path.replace(/\?.*|#.*/g, '').replace(/\/\d+/g, '/:id').replace(/\/[A-Z]{2,}-[\w-]+/g, '/:ref');

async function walked(start, look) {
  const queue = [start];
  const seen = new Set([kind_of(start)]);
  while (queue.length) {
    const path = queue.shift();
    for (const link of await look(path)) {
      const kind = kind_of(link);
      if (seen.has(kind)) continue;
      seen.add(kind);
      queue.push(link);
    }
  }
  return seen;
}

// Staff: every screen that a screen leads to.
const page = await opened('administrator');
const screens = await walked('/admin', async (path) => {
  await go(page, path);
  const { text, links } = await page.evaluate(() => ({
    text: document.querySelector('main, .svc-alone')?.innerText ?? '',
    links: [...document.querySelectorAll('a[href^="/admin"]')].map((one) => one.getAttribute('href')),
  }));
  if (text.trim().length < 20) failures.push(`${path} is empty: ${JSON.stringify(text)}`);
  const word = path === about_pro ? null : of_pro.exec(text);
  if (word) failures.push(`${path} names Pro: …${text.slice(Math.max(0, word.index - 80), word.index + 80).replace(/\s+/g, ' ')}…`);
  return links;
});
assert(screens.size > 60, `only ${screens.size} screens were found`);
await page.done();

// Settings, templates and gateways by the interface: what the screens list.
const schema = JSON.stringify(await staff('GET', '/settings/schema'));
const named = of_pro.exec(schema);
if (named) failures.push(`a setting names Pro: …${schema.slice(Math.max(0, named.index - 120), named.index + 60)}…`);
const templates = await staff('GET', '/email-template-catalog');
assert(templates.length > 20, `only ${templates.length} templates`);
for (const one of templates) if (of_pro.test(JSON.stringify(one))) failures.push(`the template ${one.key ?? one.template_key} names Pro`);

// Visitors: every page that a page leads to.
const visitor = await opened();
const pages = await walked('/', async (path) => {
  const answer = await visitor.goto(BASE + path);
  const type = answer?.headers()['content-type'] ?? '';
  if (!answer || answer.status() >= 400) failures.push(`${path}: ${answer?.status()}`);
  if (!type.startsWith('text/html')) return [];
  const { text, links } = await visitor.evaluate(() => ({
    text: document.body.innerText,
    links: [...document.querySelectorAll('a[href]')]
      .filter((one) => one.origin === location.origin && !one.download && !one.pathname.startsWith('/svc/') && !one.pathname.startsWith('/admin'))
      .map((one) => one.pathname + one.search),
  }));
  const word = of_pro.exec(text);
  if (word) failures.push(`${path} names Pro: ${text.slice(Math.max(0, word.index - 60), word.index + 60)}`);
  return links;
});
assert(pages.size > 20, `only ${pages.size} pages were found`);
await visitor.done();
refuses(page);
console.log(`${screens.size} screens, ${pages.size} pages`);

await browser.close();
for (const one of failures) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
