// Run by admin_lists.py: clicks through lists of the admin and takes the time until their rows are painted.
import { chromium } from 'playwright-core';

const { BASE, PASSWORD, TITLE } = process.env;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`${BASE}/admin`);
await page.getByLabel('Login or e-mail').fill('boss');
await page.getByLabel('Password').fill(PASSWORD);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();

// From the click within the page to the frame after the rows stand there, so that the script's way to the browser and
// back does not count.
const opened = (click, done) =>
  page.evaluate(
    ([click, done]) =>
      new Promise((resolve) => {
        const there = new Set(document.querySelectorAll('main tbody tr'));
        const link = document.querySelector(click);
        if (!link) throw new Error(`nothing to click: ${click}`);
        const began = performance.now();
        link.click();
        const look = () => {
          const row = document.querySelector(done);
          if (row && !there.has(row) && !document.querySelector('main .svc-skeleton, main [aria-busy=true]')) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
          else requestAnimationFrame(look);
        };
        look();
      }),
    [click, done],
  );
const today = async () => {
  await page.locator('.svc-rail a[href="/admin"]').last().click();
  await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.svc-progress'));
};
const row = 'main tbody tr td:nth-child(2)';
console.log(TITLE);
for (const [name, area, link] of [['bookings', '/admin/bookings', '/admin/bookings'], ['travelers', '/admin/bookings', '/admin/travelers'], ['payments', '/admin/payments', '/admin/payments'], ['customers', '/admin/customers', '/admin/customers']]) {
  const times = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await today();
    await page.reload(); // what the screens remember is gone, what the browser keeps is not
    await page.getByRole('heading', { name: 'Newest bookings' }).waitFor();
    await page.waitForFunction(() => !document.querySelector('.svc-progress'));
    if (area !== link) {
      await page.locator(`.svc-rail a[href="${area}"]`).first().click();
      await page.locator(row).first().waitFor();
      await page.locator(`.svc-rail ul a[href="${link}"]`).waitFor();
    }
    times.push(await opened(area === link ? `.svc-rail a[href="${link}"]` : `.svc-rail ul a[href="${link}"]`, row));
  }
  const [first, ...later] = times.map(Math.round);
  later.sort((a, b) => a - b);
  console.log(`${name.padEnd(10)} first ${first} ms, then ${later[2]} ms, at most ${later[4]} ms`);
}
// Within the list: another page, another order, a search.
await page.goto(`${BASE}/admin/bookings`);
await page.locator(row).first().waitFor();
for (const [name, action] of [['next page', () => page.getByRole('button', { name: /Next/ }).or(page.getByRole('link', { name: /Next/ })).first().click()], ['by amount', () => page.locator('main th button').last().click()], ['search', () => page.locator('input[data-search]').fill('grown 777')]]) {
  const before = await page.locator('main tbody').innerText();
  const began = Date.now();
  await action();
  await page.waitForFunction((text) => document.querySelector('main tbody') && document.querySelector('main tbody').innerText !== text && !document.querySelector('main [aria-busy=true]'), before);
  console.log(`${name.padEnd(10)} ${Date.now() - began} ms`);
}
await browser.close();
