// A trip in a frame on another site, in Chromium: run by embed_test.py, which starts the server.
import assert from 'node:assert/strict';
import http from 'node:http';
import { chromium } from 'playwright-core';

const { BASE, SLUG, STAFF } = process.env;

async function set(values) {
  const headers = { Authorization: STAFF, 'Content-Type': 'application/json' };
  const answer = await fetch(`${BASE}/svc/v1/settings`, { method: 'PUT', headers, body: JSON.stringify(values) });
  assert(answer.ok, await answer.text());
}

// The browser reports beside what it does: asked until it has.
async function refused(said) {
  for (let tries = 0; tries < 600 && !said.some((text) => text.includes('frame-ancestors')); tries += 1) await new Promise((done) => setTimeout(done, 100));
  assert(said.some((text) => text.includes('frame-ancestors')), `refused: ${said.join('; ')}`);
}

// Somebody else's site: another port is another origin.
const partner = http.createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>Partner</title><h1>Partner</h1><div id="here"><script src="${BASE}/embed.js" data-trip="${request.url.includes('unknown') ? 'no-such-trip' : SLUG}" data-height="200" async></script></div>`);
});
await new Promise((done) => partner.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${partner.address().port}`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const failures = [];
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => failures.push(`page error: ${error.message}`));

  // Not allowed: the frame stays empty, and the browser says why.
  await page.goto(origin);
  await page.locator('#here iframe').waitFor();
  await page.waitForFunction(() => true);
  await refused(said);
  assert.equal(await page.locator('#here iframe').evaluate((frame) => frame.style.height), '200px');

  // Allowed: the trip is there, as high as its content, also once the content has grown.
  await set({ embed_origins: [origin] });
  said.length = 0;
  await page.goto(origin);
  const frame = page.frameLocator('#here iframe');
  await frame.locator('h1').waitFor();
  await page.waitForFunction(() => parseInt(document.querySelector('iframe').style.height, 10) > 300);
  const heights = async () => [
    await page.locator('#here iframe').evaluate((one) => one.clientHeight),
    await frame.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height)),
  ];
  let [outside, inside] = await heights();
  assert(Math.abs(outside - inside) <= 1, `frame ${outside}, content ${inside}`);
  await page.setViewportSize({ width: 360, height: 700 });
  await page.waitForFunction((before) => parseInt(document.querySelector('iframe').style.height, 10) !== before, outside);
  [outside, inside] = await heights();
  assert(Math.abs(outside - inside) <= 1, `narrow: frame ${outside}, content ${inside}`);
  assert.deepEqual(said, []);
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });

  // A message of another window changes nothing.
  await page.evaluate(() => window.postMessage({ svc: 'height', height: 4000 }, '*'));
  await new Promise((done) => setTimeout(done, 200));
  assert.equal((await heights())[0], outside);

  // Booking leaves the frame: the details are asked on the site itself.
  await frame.locator('select[name=date]').selectOption({ index: 1 });
  await frame.getByRole('button', { name: 'Check and book' }).click();
  await page.waitForURL(`${BASE}/book/**`);
  assert.match(page.url(), /\/details/);

  // A trip that is not there: a sentence instead of the browser's box, as high as it is.
  await page.goto(`${origin}/unknown`);
  await frame.getByRole('heading', { name: 'This trip is not on offer' }).waitFor();
  await frame.getByRole('link', { name: 'Show all trips' }).waitFor();
  await page.waitForFunction(() => parseInt(document.querySelector('iframe').style.height, 10) !== 200);
  [outside, inside] = await heights();
  assert(Math.abs(outside - inside) <= 1, `unknown trip: frame ${outside}, content ${inside}`);

  // No other page of the site stands in a frame.
  said.length = 0;
  await page.goto(origin);
  await page.evaluate((address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    document.body.append(frame);
  }, `${BASE}/trip/${SLUG}`);
  await refused(said);
} catch (error) {
  failures.push(error.stack);
}
await browser.close();
partner.close();
for (const failure of failures) console.error(failure);
process.exit(failures.length ? 1 : 0);
