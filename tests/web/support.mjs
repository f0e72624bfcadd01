// What the tests of the admin share: pages that are watched, signing in, going somewhere, accessibility.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

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
export const lists = templates.filter(({ path, methods }) => !path.includes('{') && methods.get?.parameters?.some((one) => one.$ref?.endsWith('/page')) && methods.get['x-permission'].startsWith('svc_') && path !== '/trips/search').map((one) => one.path); // a search needs words

export const failures = [];
export const called = new Set();
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

// A page in the session of a role, which signs in once; with options in a session of its own that begins as a copy of it.
const desk = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };
const sessions = new Map();
function session_of(role) {
  const begin = async () => {
    const context = await browser.newContext(desk);
    const page = watched(await context.newPage());
    await sign_in(page, role);
    await page.close();
    return context;
  };
  if (!sessions.has(role)) sessions.set(role, begin());
  return sessions.get(role);
}

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

export async function opened(role, options = null) {
  let context = role && (await session_of(role));
  const own = !role || !!options;
  if (own) {
    const { language, ...rest } = options ?? {};
    const state = context && (await context.storageState());
    if (language) state.origins.find((one) => one.origin === BASE).localStorage.push({ name: 'svc-language', value: language });
    context = await browser.newContext({ ...desk, ...rest, ...(state && { storageState: state }) });
  }
  const page = watched(await context.newPage());
  page.done = () => (own ? context : page).close();
  if (role) {
    await page.goto(`${BASE}/admin`);
    await page.locator('.svc-frame').waitFor();
  }
  return page;
}

export async function sign_in(page, role) {
  await page.goto(`${BASE}/admin`);
  await page.getByLabel('Login or e-mail').fill(users[role][0]);
  await page.getByLabel('Password').fill(users[role][1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.svc-frame').waitFor();
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
export async function accessible(page, name, { contrast = true } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // The page's own policy allows no foreign script; the debugger is none.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe_source });
    await session.detach();
  }
  const found = await page.evaluate(
    async (rules) =>
      (await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], rules })).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`),
    contrast ? {} : { 'color-contrast': { enabled: false } },
  );
  if (found.length) failures.push(`axe ${name}: ${found.join('; ')}`);
}

export function refuses(page, ...statuses) {
  const odd = page.refused.filter((one) => !statuses.includes(Number(one.slice(0, 3))));
  page.refused = [];
  assert.deepEqual(odd, []);
}
