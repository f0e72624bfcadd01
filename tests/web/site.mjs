// The site in Chromium: run by site_pages_test.py, which starts the server. Words after it name the parts to run.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { add_consent } from './site_consent.mjs';
import { add_flows } from './site_flows.mjs';
import { add_hostile } from './site_hostile.mjs';
import { add_refusals } from './site_refusals.mjs';
import { BASE, DATABASE, PASSWORD, accessible, api, at_pay, browser, choose, days, details, failures, fill_details, narrow, opened, sign_in, slugs, sound, staff, tab_to, use_card_stub, watch_paint, wide } from './visitor.mjs';

const [kayaks, walk, whales] = slugs;
const wanted = process.argv.slice(2);
const parts = {};
const part = (name, run) => (parts[name] = run);

for (const [width, look] of [['wide', wide], ['narrow', narrow]])
  for (const scripts of [true, false])
    part(`${width}${scripts ? '' : ' without scripts'}`, async () => {
      const page = await opened({ ...look, javaScriptEnabled: scripts, colorScheme: scripts ? 'light' : 'dark' });
      const name = (what) => `${what}, ${width}${scripts ? '' : ', without scripts'}`;
      for (const [path, status] of [
        ['/', 200], ['/trip', 200], ['/trip?search=zzzz', 200], [`/trip/${kayaks}`, 200], [`/trip/${whales}`, 200], [`/trip/${kayaks}/enquiry`, 200], ['/destination', 200], ['/destination/lofoten', 200], ['/activity', 200],
        ['/book', 200], [`/book/${walk}`, 200], [`/book/${walk}/pay`, 410], ['/book/confirmation/SVC-ZZZZZZZZ', 403], ['/account/login', 200], ['/account/register', 200], ['/account/forgot', 200], ['/nowhere', 404],
      ]) {
        const answer = await page.goto(BASE + path);
        assert.equal(answer.status(), status, path);
        await sound(page, name(path));
      }
      // A booking's steps, its refusal, its confirmation, and its end.
      await choose(page, walk, days[0], scripts);
      await page.getByRole('button', { name: 'Continue to your details' }).click();
      await sound(page, name('details'));
      await page.evaluate(() => document.querySelectorAll('form').forEach((one) => (one.noValidate = true))).catch(() => undefined);
      await fill_details(page);
      await page.locator('[name=contact_phone]').fill('x');
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByRole('alert').waitFor();
      await sound(page, name('details at fault'));
      await page.locator('[name=contact_phone]').fill(details.contact_phone);
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
      await sound(page, name('pay'));
      const row = page.locator('input[value=stripe]');
      assert.equal(await row.isDisabled(), !scripts);
      assert.equal(await page.getByText('This way of paying needs JavaScript').isVisible(), !scripts);
      await page.locator('input[value=pay_later]').check();
      await page.getByRole('button', { name: /^Book for/ }).click();
      await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
      await sound(page, name('confirmation'));
      await page.locator('summary', { hasText: 'Cancel this booking' }).click();
      await page.getByLabel('I want to cancel').check();
      await page.getByRole('button', { name: 'Cancel the booking' }).click();
      await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
      await sound(page, name('cancelled'));
      // Sold out at the last step, then the waitlist.
      const trip = await staff('POST', '/trips', { title: `Last seat ${width} ${scripts}`, summary: 'Few seats.', regular_price: 30, duration: 1 });
      await staff('PUT', `/trips/${trip.id}`, { status: 'publish' });
      await staff('POST', `/trips/${trip.id}/departures`, { start_date: days[1], max_capacity: 1 });
      const other = await opened({ javaScriptEnabled: false });
      await at_pay(page, trip.slug, days[1], scripts);
      await at_pay(other, trip.slug, days[1], false);
      await other.getByRole('button', { name: /^Book for/ }).click();
      await page.getByLabel('Anything we should know?').fill('A window seat');
      await page.locator('input[value=pay_later]').check();
      await page.getByRole('button', { name: /^Book for/ }).click();
      await page.getByRole('heading', { name: 'These seats have just been sold' }).waitFor();
      assert.equal(await page.getByLabel('Anything we should know?').inputValue(), 'A window seat');
      await sound(page, name('sold out'));
      await page.getByRole('button', { name: 'Join the waitlist instead' }).click();
      await page.getByRole('heading', { name: 'You are on the waitlist' }).waitFor();
      await sound(page, name('waitlist'));
      await other.context().close();
      await sign_in(page);
      for (const path of ['/account', '/account/profile', '/account/enquiries', '/account/reviews']) {
        await page.goto(BASE + path);
        await sound(page, name(path));
      }
      await page.context().close();
    });

// A booking with the keyboard alone, from the trip to the confirmation, then its cancellation.
for (const [width, look] of [['wide', wide], ['narrow', { ...narrow, isMobile: false, hasTouch: false }]])
  part(`keyboard ${width}`, async () => {
    const page = await opened(look);
    await page.goto(`${BASE}/trip/${kayaks}`);
    await tab_to(page, '.svc-grid [data-date]');
    const start = await page.evaluate(() => document.activeElement.dataset.date);
    assert.equal(start, days[0]);
    const focused = () => page.evaluate(() => document.activeElement.dataset.date);
    const ahead = (date, by) => new Date(Date.parse(date) + by * 86400000).toISOString().slice(0, 10);
    for (const [key, by] of [['ArrowRight', 1], ['ArrowDown', 7], ['ArrowLeft', -1], ['ArrowUp', -7]]) {
      const before = await focused();
      await page.keyboard.press(key);
      assert.equal(await focused(), ahead(before, by), key);
    }
    await page.keyboard.press('PageDown');
    assert.notEqual((await focused()).slice(0, 7), start.slice(0, 7));
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), days[1]);
    await page.keyboard.press('Enter');
    assert.equal(await focused(), days[1]); // the focus stays
    assert.equal(await page.locator('select[name=date]').inputValue(), days[1]);
    await page.locator('[data-price-url]').getByText('USD 120.00').first().waitFor();
    await tab_to(page, '.svc-step[aria-label^="More"]');
    await page.keyboard.press('Enter');
    await page.locator('[data-price-url]').getByText('USD 240.00').first().waitFor();
    assert(await page.evaluate(() => document.activeElement.matches('.svc-step'))); // so it does after the total changed
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('1');
    await tab_to(page, 'button[type=submit]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    for (const [name, value] of Object.entries(details)) {
      if (!(await page.locator(`[name="${name}"]`).count())) continue;
      await tab_to(page, `[name="${name}"]`);
      await page.keyboard.type(name === 'contact_country' ? 'United Kingdom' : name.endsWith('date_of_birth') ? '12101990' : name.endsWith('gender') ? 'Female' : value);
    }
    await tab_to(page, 'main button[type=submit]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
    await tab_to(page, 'input[name=payment_gateway]');
    while ((await page.evaluate(() => document.activeElement.value)) !== 'pay_later') await page.keyboard.press('ArrowDown');
    await tab_to(page, 'button[value=book]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
    await tab_to(page, 'main details summary');
    await page.keyboard.press('Enter');
    await tab_to(page, '#sure');
    await page.keyboard.press('Space');
    await tab_to(page, 'button[value=cancel]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
    await page.context().close();
  });

part('dates', async () => {
  const page = await opened();
  await page.goto(`${BASE}/trip/${walk}`);
  const cell = (date) => page.locator(`.svc-grid [data-date="${date}"]`);
  const turn_to = async (date) => {
    while (!(await cell(date).count())) await page.getByRole('button', { name: 'Later month' }).click();
  };
  await turn_to(days[2]);
  assert.match(await cell(days[2]).getAttribute('aria-label'), /USD 45, 3 left$/);
  assert.equal(await cell(days[2]).locator('small').textContent(), '45');
  // A long price is whole, and within its cell.
  for (const look of [wide, narrow]) {
    const long = await opened(look);
    await long.goto(`${BASE}/trip/${whales}`);
    const price = long.locator('.svc-grid [data-date][aria-selected] small').first();
    assert.equal(await price.textContent(), '1,234.50');
    assert(await price.evaluate((one) => one.scrollWidth <= one.parentElement.clientWidth), 'a price wider than its day');
    await long.context().close();
  }
  // A day with two departures asks for the time.
  await turn_to(days[3]);
  await cell(days[3]).click();
  const times = page.getByRole('group', { name: 'Time' });
  await times.getByRole('button', { name: /^14:30/ }).click();
  assert.equal(await page.locator('select[name=date]').inputValue(), `${days[3]}T14:30`);
  assert.equal(await times.getByRole('button', { name: /^14:30/ }).getAttribute('aria-pressed'), 'true');
  await accessible(page, 'a day with two times');
  // The list instead, with the same choice; and no date at all is told where it is missing.
  await page.getByRole('button', { name: 'Show as a list' }).click();
  assert.equal(await page.getByLabel('Date').inputValue(), `${days[3]}T14:30`);
  await accessible(page, 'dates as a list');
  await page.goto(`${BASE}/trip/${whales}`);
  await page.getByRole('button', { name: 'Check and book' }).click();
  await page.locator('.svc-chosen.svc-error', { hasText: 'Choose a date.' }).waitFor();
  assert(await page.evaluate(() => document.activeElement.matches('.svc-grid [data-date]')));
  assert.match(page.url(), /\/trip\//);
  const small = await opened({ ...narrow, viewport: { width: 320, height: 640 } });
  await small.goto(`${BASE}/trip/${walk}`);
  await small.getByLabel('Date').waitFor(); // below 360 px it is a list from the beginning
  await sound(small, 'a trip at 320 px');
  for (const one of [page, small]) await one.context().close();
});

// The pages in a language that the operator added: as long as German gets, and from right to left. What is in plain
// letters there, and was not typed by anybody, has no translation; UTC is the same everywhere.
const typed = /Blue Boots|Fjord kayaks|Lighthouse walk|Whale watching in the Donaudampfschifffahrtsgesellschaft|Two hours by the water\.|Lofoten|Calm water, good food\.|Reader|Until a week before, all is paid back\.|Annabella|Ada|Lovelace|ada@example\.org|British|SVC-[0-9A-Z]{8}|USD|PDF|zzzz|Few seats\.|Last seat|, UTC|(true|false|wide|narrow)/g;
async function speaks(page, name) {
  const plain = await page.evaluate(() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (!walk.currentNode.parentElement.closest('script, style, textarea, [hidden], select[name$=country], [aria-hidden=true], .svc-head nav small')) found.push(walk.currentNode.data.trim());
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [alt], [title]')) for (const word of ['aria-label', 'placeholder', 'alt', 'title']) if (one.getAttribute(word)) found.push(one.getAttribute(word));
    return found;
  });
  const left = [...new Set(plain.filter((one) => /[A-Za-z]{2}/.test(one.replace(typed, ''))))];
  if (left.length) failures.push(`${name}: not translated: ${left.join(' | ')}`);
}
for (const [language, direction] of [['en-XB', 'ltr'], ['ar', 'rtl'], ...(process.env.PICTURES ? [['de', 'ltr']] : [])])
  part(language, async () => {
    await staff('PUT', '/settings', { site_language: language });
    const page = await opened({ ...narrow, colorScheme: direction === 'rtl' ? 'dark' : 'light' });
    try {
      const seen = async (what) => {
        await sound(page, `${what}, ${language}`);
        if (language === 'ar') await speaks(page, `${what}, ${language}`); // in en-XB days are English
        for (const width of process.env.PICTURES ? [1280, 360] : []) {
          await page.setViewportSize({ width, height: 740 });
          await page.screenshot({ path: `${process.env.PICTURES}/${language}-${what.replace(/\W+/g, '-')}-${width}.png`, fullPage: true });
        }
      };
      const send = async (selector) => {
        await Promise.all([page.waitForNavigation(), page.locator(selector).first().click()]);
      };
      for (const path of ['/', '/trip', '/trip?search=zzzz', `/trip/${kayaks}`, `/trip/${whales}`, `/trip/${kayaks}/enquiry`, '/destination/lofoten', '/account/login', '/account/register', '/nowhere', '/book/confirmation/SVC-ZZZZZZZZ', `/compare?trip=${kayaks}&trip=${walk}`]) {
        await page.goto(BASE + path);
        assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), [language, direction]);
        await seen(path);
      }
      await page.goto(`${BASE}/book/${whales}`);
      assert.equal(await page.locator('.svc-grid [data-date][aria-selected] small').first().textContent(), '1,234.50');
      await page.goto(`${BASE}/book/${walk}`);
      await page.locator('.svc-grid [data-date][aria-selected]').first().click();
      await page.locator('[data-price-url]').getByText('45').first().waitFor();
      await seen('date chosen');
      await send('main button[type=submit]');
      await seen('details');
      await page.evaluate(() => document.querySelectorAll('form').forEach((one) => (one.noValidate = true)));
      await send('main button[type=submit]');
      await seen('details at fault');
      await fill_details(page);
      await send('main button[type=submit]');
      await seen('pay');
      await page.locator('input[value=pay_later]').check();
      await send('button[value=book]');
      await page.locator('main details summary').first().click();
      await seen('confirmation');
      await page.goto(`${BASE}/account/login`);
      await page.locator('[name=username]').fill('ada');
      await page.locator('[name=password]').fill(PASSWORD);
      await send('main button[type=submit]');
      await seen('account');
      await page.goto(`${BASE}/account/profile`);
      await seen('profile');
    } finally {
      await staff('PUT', '/settings', { site_language: 'en' });
      await page.context().close();
    }
  });

part('search', async () => {
  const page = await opened();
  await page.goto(`${BASE}/trip`);
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('kay');
  await page.getByRole('option', { name: /Fjord kayaks/ }).waitFor();
  await accessible(page, 'suggestions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/trip/${kayaks}`);
  await page.goto(`${BASE}/trip`);
  await page.evaluate(() => (window.stays = true));
  await page.locator('.svc-filters').getByRole('link', { name: /Lofoten/ }).click();
  await page.waitForURL(/destination=lofoten/);
  await page.locator('[data-count]', { hasText: /^1\s*trip/ }).waitFor();
  assert(await page.evaluate(() => window.stays)); // the page was not loaded anew
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-current')), 'true');
  await page.goBack();
  await page.locator('[data-count]', { hasText: /^[3-9]\s*trips/ }).waitFor();
  await page.context().close();
});

part('account', async () => {
  const page = await opened();
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('/account/me') ? 1 : 0));
  await page.goto(BASE);
  await page.waitForLoadState('networkidle');
  assert.equal(asked, 0); // nobody is asked who is not known to be signed in
  await sign_in(page);
  await page.goto(BASE);
  await page.locator('.svc-head nav small').waitFor();
  assert(asked > 0);
  await page.context().close();
});

part('card', async () => {
  const page = await opened();
  await use_card_stub(page);
  await at_pay(page, kayaks, days[0], true);
  await page.locator('input[value=stripe]').check();
  await page.getByRole('button', { name: /^Book for/ }).click();
  await page.locator('#pay .svc-card-field').waitFor();
  await sound(page, 'card fields');
  await page.locator('.svc-card-field').fill('4000');
  await page.getByRole('button', { name: /^Pay USD/ }).click();
  await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  await sound(page, 'card declined');
  await page.locator('.svc-card-field').fill('4242');
  await page.getByRole('button', { name: /^Pay USD/ }).click();
  await page.getByRole('heading', { name: 'Your trip is booked' }).waitFor();
  assert.equal(await page.locator('#pay').count(), 0);
  await page.context().close();
});

add_consent(part);
add_flows(part);
add_hostile(part);
add_refusals(part);

// Scripts that come long after the page has been shown move nothing that is read by then.
part('late scripts', async () => {
  for (const [width, look] of [['wide', wide], ['narrow', narrow]])
    for (const path of ['/', '/trip', `/trip/${kayaks}`, `/book/${kayaks}`, `/trip/${walk}`, `/book/${walk}`]) {
      const page = await opened(look);
      await page.addInitScript(watch_paint);
      await page.route(/\.js$/, async (route) => {
        await new Promise((done) => setTimeout(done, 700));
        await route.continue();
      });
      await page.goto(BASE + path);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      const { cls, moved } = await page.evaluate(() => ({ cls: window.cls, moved: window.moved }));
      if (process.env.SHOW) console.log(width, path, cls, moved);
      if (cls > 0.05) failures.push(`${path}, ${width}: shifts by ${cls.toFixed(3)}: ${moved.join('; ')}`);
      await page.context().close();
    }
});

part('sizes', async () => {
  const page = await opened();
  const sizes = {};
  for (const [name, path, budget] of [['first page', '/', 12], ['listing', '/trip', 12], ['trip', `/trip/${kayaks}`, 40], ['booking', `/book/${kayaks}`, 25]]) {
    await page.goto(BASE + path);
    const files = await page.evaluate(() => [...document.querySelectorAll('script[src]')].map((one) => one.src));
    assert(files.length > 0);
    let size = 0;
    for (const file of files) size += zlib.gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer()), { level: 9 }).length;
    sizes[name] = size;
    assert(size <= budget * 1024, `${name}: ${size}`);
  }
  const style = await page.evaluate(() => document.querySelector('link[rel=stylesheet]').href);
  sizes.css = zlib.gzipSync(Buffer.from(await (await fetch(style)).arrayBuffer()), { level: 9 }).length;
  assert(sizes.css <= 10 * 1024, `CSS ${sizes.css}`);
  console.log(`sizes (gzip): ${JSON.stringify(sizes)}`);
  await page.context().close();
});

// Not run by themselves: pictures of every state, and LCP and CLS on a slow phone.
const by_hand = {
  async pictures() {
    const { pictures } = await import('./pictures.mjs');
    await pictures(wanted.splice(wanted.indexOf('pictures') + 1));
  },
  // Each page three times with an empty cache, CPU x4 and slow 4G; LCP is the median, CLS the worst.
  async speed() {
    const { data } = await (await fetch(`${api}/trips/public?per_page=50`)).json();
    const rich = data.find((one) => one.featured_image_srcset).slug;
    for (const [width, look] of [['phone', narrow], ['desktop', wide]])
      for (const [name, path] of [['home', '/'], ['listing', '/trip'], ['trip', `/trip/${rich}`], ['booking', `/book/${rich}`]]) {
        const seen = [];
        for (let i = 0; i < 3; ++i) {
          const page = await opened(look);
          const session = await page.context().newCDPSession(page);
          await session.send('Network.enable');
          await session.send('Network.emulateNetworkConditions', { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 });
          await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
          await page.addInitScript(watch_paint);
          await page.goto(BASE + path);
          await page.waitForLoadState('networkidle');
          await page.waitForTimeout(1000);
          seen.push(await page.evaluate(() => ({ lcp: Math.round(window.lcp), of: window.lcp_of, cls: window.cls, moved: window.moved })));
          await page.context().close();
        }
        seen.sort((a, b) => a.lcp - b.lcp);
        const cls = Math.max(...seen.map((one) => one.cls));
        console.log(`${width} ${name}: LCP ${seen[1].lcp} ms (${seen[0].lcp} to ${seen[2].lcp}, ${seen[1].of}), CLS ${cls.toFixed(4)}${cls > 0.05 ? ` ${seen.flatMap((one) => one.moved).join('; ')}` : ''}`);
      }
  },
};

const quick = DATABASE === 'postgres' ? ['keyboard wide', 'card'] : Object.keys(parts);
for (const name of wanted.length ? wanted : quick) {
  const began = Date.now();
  try {
    await (parts[name] ?? by_hand[name])();
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
  console.log(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
await browser.close();
for (const one of new Set(failures)) console.error(`FAILED ${one}`);
process.exit(failures.length ? 1 : 0);
