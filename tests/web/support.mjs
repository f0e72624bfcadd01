// Shared by the tests of the admin: pages that are watched, signing in, going somewhere, accessibility.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

import { session_of } from './session.mjs';

const axe_source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const { BASE, DATABASE, STAFF } = process.env;
export const users = JSON.parse(process.env.USERS);
export const api = `${BASE}/svc/v1`;

export async function staff(method, path, body) {
  const response = await fetch(api + path, { method, headers: { Authorization: STAFF, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

// The link in the latest e-mail of a template to an address.
export async function mailed(template, address) {
  return (await fetch(`${process.env.MAILS}/${template}/${encodeURIComponent(address)}`)).text();
}

// Changes to the data that only time or an older release makes.
export async function sql(statement) {
  await fetch(`${process.env.MAILS}/sql/${encodeURIComponent(statement)}`);
}

export const document_ = await (await fetch(`${api}/openapi.json`)).json();
export const templates = Object.entries(document_.paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));
export function route_of(method, url) {
  const path = new URL(url).pathname.slice('/svc/v1'.length) || '/';
  const hits = templates.filter((one) => one.pattern.test(path) && one.methods[method.toLowerCase()]);
  return hits.find((one) => one.path === path) ?? hits[0];
}

// The paths of all lists that have a screen.
export const lists = templates.filter(({ path, methods }) => !path.includes('{') && methods.get?.parameters?.some((one) => one.$ref?.endsWith('/page')) && !methods.get.parameters.map((one) => (one.$ref ? document_.components.parameters[one.$ref.split('/').pop()] : one)).some((one) => one.required && one.in === 'query') && methods.get['x-permission'].startsWith('svc_') && path !== '/trips/search').map((one) => one.path); // a search needs words

export const failures = [];
export const called = new Set();
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

// A page in the session of a role, which signs in once, by the interface: signing in by the form has tests of its own.
// With options it is in a session of its own that begins as a copy of it.
const desk = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };
const states = new Map();
const contexts = new Map();
async function signed_in(role) {
  const [username, password] = users[role];
  const { status, data, cookies } = await session_of(api, username, password);
  assert.equal(status, 200, `${role} signs in: ${status}`);
  return {
    cookies: cookies.map(([name, value]) => ({ name, value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: name !== 'svc_in', secure: false, sameSite: 'Lax' })),
    origins: [{ origin: BASE, localStorage: [{ name: 'svc-nonce', value: data.nonce }] }],
  };
}
const once = (map, role, make) => map.get(role) ?? map.set(role, make()).get(role);
const state_of = (role) => once(states, role, () => signed_in(role));
const context_of = (role) => once(contexts, role, async () => browser.newContext({ ...desk, storageState: await state_of(role) }));

function watched(page) {
  page.setDefaultTimeout(120000);
  page.refused = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) failures.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => failures.push(`page error at ${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/svc/v1/')) return;
    const route = route_of(request.method(), request.url());
    if (!route) failures.push(`not in OpenAPI: ${request.method()} ${request.url()}`);
    else called.add(`${request.method()} ${route.path}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) page.refused.push(`${response.status()} ${response.request().method()} ${response.url().replace(BASE, '')}`);
  });
  return page;
}

// Pages of a role's session that no part uses at present: the app runs on in them, so that nothing is loaded again.
const idle = new Map();
async function put_back(page, role) {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const clean = await page.evaluate(() => {
    for (const one of document.querySelectorAll('.svc-toast button')) one.click();
    return !!document.querySelector('.svc-frame') && !document.querySelector('dialog[open], .svc-savebar');
  }).catch(() => false);
  if (clean) once(idle, role, () => []).push(page);
  else await page.close();
}

export async function opened(role, options = null) {
  const own = !role || !!options;
  const kept = !own && idle.get(role)?.pop();
  if (kept) {
    kept.refused = [];
    await go(kept, '/admin');
    return kept;
  }
  const { language, script, ...rest } = options ?? {};
  let context;
  if (own) {
    const state = role && structuredClone(await state_of(role));
    if (language) state.origins[0].localStorage.push({ name: 'svc-language', value: language });
    context = await browser.newContext({ ...desk, ...rest, ...(state && { storageState: state }) });
  } else context = await context_of(role);
  const page = watched(await context.newPage());
  if (script) await page.addInitScript(...script);
  page.done = () => (own ? context.close() : put_back(page, role));
  if (role) {
    await page.goto(`${BASE}/admin`);
    await page.locator('.svc-frame').waitFor();
  }
  return page;
}

// Opens an address of the admin: within the app where it runs, so that nothing is loaded twice.
export async function go(page, path) {
  const runs = await page.evaluate(() => !!document.querySelector('.svc-frame')).catch(() => false);
  if (runs)
    await page.evaluate((url) => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  else await page.goto(`${BASE}${path}`);
  await page.locator('main h1, main [role=alert], .svc-alone h1').first().waitFor();
  await settled(page);
}
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('.svc-progress, .svc-skeleton, [aria-busy=true]'));
}

// Without the reckoning of contrasts, which is most of axe's work, where another test looks at the same colours.
export const spent = { axe: 0, runs: 0 };
export async function accessible(page, name, { contrast = true, only = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // The page's own policy allows no foreign script; the debugger is none.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe_source });
    await session.detach();
  }
  const began = Date.now();
  const found = await page.evaluate(
    async ({ rules, only }) =>
      (await window.axe.run(document, { runOnly: only, rules, resultTypes: ['violations'], preload: false })).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`),
    { only, rules: contrast ? {} : { 'color-contrast': { enabled: false } } },
  );
  spent.axe += Date.now() - began;
  spent.runs += 1;
  if (found.length) failures.push(`axe ${name}: ${found.join('; ')}`);
}

export function refuses(page, ...statuses) {
  const odd = page.refused.filter((one) => !statuses.includes(Number(one.slice(0, 3))));
  page.refused = [];
  assert.deepEqual(odd, []);
}
