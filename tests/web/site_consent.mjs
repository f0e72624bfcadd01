// Consent in Chromium: what leaves the browser before, after and without it, with and without scripts, on a desk and a
// phone. Stubs of Google and Meta record what they are told; the content security policy counts for them too.
import assert from 'node:assert/strict';
import { BASE, at_pay, book_and_pay_later, days, narrow, opened, slugs, sound, staff, tab_to, wide } from './visitor.mjs';

const [kayaks, walk] = slugs;

// Each tells its origin what the page told it, as the partner's script does.
const gtag_stub = `
  const told = [];
  const send = (what) => fetch('https://region1.google-analytics.com/g/collect', { method: 'POST', keepalive: true, mode: 'no-cors', body: JSON.stringify(what) });
  for (const one of window.dataLayer) send([...one]);
  window.dataLayer.push = (one) => void send([...one]);
  document.cookie = '_ga=GA1.1.111.222; Path=/';`;
const pixel_stub = `
  window.fbq.callMethod = (...what) => fetch('https://www.facebook.com/tr/', { method: 'POST', keepalive: true, mode: 'no-cors', body: JSON.stringify(what) });
  for (const one of window.fbq.queue) window.fbq.callMethod(...one);
  document.cookie = '_fbp=fb.1.1700000000000.333; Path=/';`;

// A visitor's page, and what left it to partners: `scripts`, and calls [what, …] to Google and to Meta.
async function watched(look) {
  const page = await opened(look);
  const left = { scripts: [], google: [], meta: [] };
  await page.context().route(/^https:\/\//, async (route) => {
    const request = route.request(), url = request.url();
    if (/googletagmanager|connect\.facebook/.test(url)) {
      left.scripts.push(url);
      return route.fulfill({ contentType: 'text/javascript', body: url.includes('google') ? gtag_stub : pixel_stub });
    }
    left[url.includes('google') ? 'google' : 'meta'].push(JSON.parse(request.postData() ?? '[]'));
    return route.fulfill({ status: 204, body: '' });
  });
  const counted = {
    left,
    count: () => left.scripts.length + left.google.length + left.meta.length,
    events: () => left.google.filter(([what]) => what === 'event').map(([, name, more]) => [name, more]),
    views: () => left.google.filter(([what]) => what === 'config').map(([, , more]) => more),
    tracks: () => left.meta.filter(([what]) => what === 'track').map(([, name, ...more]) => [name, ...more]),
    async until(fits, what) {
      for (let i = 0; i < 100 && !fits(); ++i) await page.waitForTimeout(50);
      assert(fits(), `${what}: ${JSON.stringify(left)}`);
    },
    forget: () => Object.values(left).forEach((list) => list.splice(0)),
  };
  return [page, counted];
}

const consent_of = async (page) => (await page.context().cookies()).find((one) => one.name === 'svc_consent')?.value;
const banner = (page) => page.locator('[data-consent]');

export function add_consent(part) {
  const looks = [['wide', wide], ['narrow', narrow]];
  const plain = (on) => staff('PUT', '/settings', { google_analytics: on ? 'G-PLAIN1' : '', facebook_pixel: on ? '123456789012345' : '' });

  part('consent: no banner without tags', async () => {
    const [page, counted] = await watched(wide);
    for (const path of ['/', '/trip', `/trip/${kayaks}`, `/book/${kayaks}`]) {
      await page.goto(BASE + path);
      assert.equal(await banner(page).count(), 0, path);
      assert.equal(await page.locator('a[href="/privacy-choices"]').count(), 0, path);
    }
    assert.equal(counted.count(), 0);
    assert.equal(await consent_of(page), undefined);
    await page.context().close();
  });

  for (const [width, look] of looks)
    for (const scripts of [true, false])
      part(`consent ${width}${scripts ? '' : ' without scripts'}`, async () => {
        await plain(true);
        try {
          const [page, counted] = await watched({ ...look, javaScriptEnabled: scripts });
          const name = (what) => `${what}, ${width}${scripts ? '' : ', without scripts'}`;
          await page.goto(`${BASE}/trip/${kayaks}`);
          await sound(page, name('trip with the banner'));
          const accept = banner(page).getByRole('button', { name: 'Accept' }), refuse = banner(page).getByRole('button', { name: 'Refuse' });
          const [one, other, whole, foot] = await Promise.all([accept, refuse, banner(page), page.locator('.svc-foot-end')].map((each) => each.boundingBox()));
          assert.deepEqual([one.height, Math.round(one.width)], [other.height, Math.round(other.width)], 'refusing is as easy as accepting');
          const height = look.viewport.height;
          assert(Math.abs(whole.y + whole.height - height) < 1.5, `${name('the banner')} is at the foot of the window: ${JSON.stringify(whole)}`);
          assert(whole.height < height * 0.4, `${name('the banner')} is ${whole.height} px high`);
          assert(foot.y > height);
          // At the page's end it stands below everything.
          await page.locator('.svc-foot-end').scrollIntoViewIfNeeded();
          if (scripts) {
            await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
            const [end, at] = await Promise.all([page.locator('.svc-foot-end').boundingBox(), banner(page).boundingBox()]);
            assert(end.y + end.height <= at.y + 1, name('nothing lies under the banner at the end'));
          }
          for (const path of ['/', '/trip', `/book/${kayaks}`]) await page.goto(BASE + path);
          assert.equal(counted.count(), 0, name('before a decision'));
          // Refused: the same page again, no banner, nothing counted.
          await page.goto(`${BASE}/trip?page=1`);
          await banner(page).getByRole('button', { name: 'Refuse' }).click();
          await banner(page).waitFor({ state: 'detached' });
          assert.equal(page.url(), `${BASE}/trip?page=1`);
          assert.match(await consent_of(page), /^1\.00\./);
          await page.goto(`${BASE}/trip/${kayaks}`);
          assert.equal(await banner(page).count(), 0);
          assert.equal(counted.count(), 0, name('after refusing'));
          // Changed on the page of choices, one purpose.
          await page.getByRole('link', { name: 'Cookies' }).click();
          await page.getByRole('heading', { name: 'Cookies', level: 1 }).waitFor();
          await sound(page, name('choices'));
          await page.getByLabel('You may count my visits').check();
          await page.getByRole('button', { name: 'Save my choice' }).click();
          await page.getByText('Your choice is saved').waitFor();
          assert.equal(await page.getByLabel('You may count my visits').isChecked(), true);
          await sound(page, name('choices saved'));
          assert.equal(counted.count(), 0, name('a page of one visitor'));
          await page.goto(`${BASE}/trip/${kayaks}`);
          if (scripts) await counted.until(() => counted.left.google.length, 'one page view');
          await page.waitForTimeout(300);
          assert.equal(counted.views().length, scripts ? 1 : 0);
          assert.equal(counted.left.meta.length, 0);
          // Withdrawn: nothing more from the next page on, and the cookies are gone.
          counted.forget();
          await page.goto(`${BASE}/privacy-choices`);
          await page.getByRole('button', { name: 'Refuse all' }).click();
          await page.getByText('Your choice is saved').waitFor();
          assert.equal((await page.context().cookies()).some((each) => each.name.startsWith('_ga')), false);
          await page.goto(`${BASE}/trip/${kayaks}`);
          await page.waitForTimeout(300);
          assert.equal(counted.count(), 0, name('after withdrawing'));
          await page.context().close();
        } finally {
          await plain(false);
        }
      });

  part('consent: the choice by purpose, the keyboard, the price bar, and a browser that asks for privacy', async () => {
    await plain(true);
    try {
      const [page, counted] = await watched({ ...narrow, isMobile: false, hasTouch: false });
      await page.goto(`${BASE}/trip/${kayaks}`);
      // The bar with the price waits in its place, so that it is never under the banner.
      assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.svc-mobile-bar')).position), 'static');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter'); // skips to the choice
      await tab_to(page, '[data-consent] summary');
      await page.keyboard.press('Enter');
      await sound(page, 'the banner by purpose');
      await tab_to(page, '[data-consent] [name=marketing]');
      await page.keyboard.press('Space');
      await tab_to(page, '[data-consent] button[value=chosen]');
      await page.keyboard.press('Enter');
      await banner(page).waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
      assert.match(await consent_of(page), /^1\.01\./);
      assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.svc-mobile-bar')).position), 'sticky');
      assert.equal(counted.count(), 0, 'the policy of this page names no partner');
      await page.goto(`${BASE}/trip`);
      await counted.until(() => counted.tracks().length === 1, 'the pixel alone');
      assert.equal(counted.left.google.length, 0);
      await page.context().close();

      const [careful, seen] = await watched({ ...wide, extraHTTPHeaders: { 'Sec-GPC': '1' } });
      await careful.goto(`${BASE}/trip`);
      assert.equal(await banner(careful).getByText('Facebook Pixel').count(), 0);
      await banner(careful).getByRole('button', { name: 'Accept' }).click();
      await banner(careful).waitFor({ state: 'detached' });
      await careful.goto(`${BASE}/trip`);
      await seen.until(() => seen.views().length === 1, 'analytics alone');
      assert.equal(seen.left.meta.length, 0);
      await careful.context().close();
    } finally {
      await plain(false);
    }
  });

  part('consent in German, and with long words', async () => {
    await plain(true);
    try {
      for (const language of ['de', 'en-XB', 'ar']) {
        await staff('PUT', '/settings', { site_language: language });
        for (const [width, look] of looks) {
          const [page] = await watched(look);
          await page.goto(`${BASE}/trip/${kayaks}`);
          assert.equal(await page.evaluate(() => document.documentElement.lang), language);
          await sound(page, `banner in ${language}, ${width}`);
          const whole = await banner(page).boundingBox();
          assert(whole.height < look.viewport.height * 0.5, `the banner in ${language}, ${width}, is ${whole.height} px high`);
          await banner(page).locator('button[value=refuse]').click();
          await banner(page).waitFor({ state: 'detached' });
          await page.goto(`${BASE}/privacy-choices`);
          await sound(page, `choices in ${language}, ${width}`);
          await page.context().close();
        }
      }
    } finally {
      await staff('PUT', '/settings', { site_language: 'en' });
      await plain(false);
    }
  });

  part('consent: from the view of a trip to one purchase', async () => {
    const modules = ['facebook_pixel', 'google_analytics'];
    for (const module of modules) await staff('POST', `/modules/${module}/toggle`, { enabled: true });
    await staff('PUT', '/settings', { facebook_pixel_id: '123456789012345', ga4_measurement_id: 'G-TEST123', ga4_custom_dimensions: { lead: 'days_before' }, fb_parameter_mapping: { month: 'travel_month' } });
    try {
      const [page, counted] = await watched(wide);
      await page.goto(`${BASE}/trip?utm_source=letter&fbclid=AbC-1&private=7`);
      await banner(page).getByRole('button', { name: 'Accept' }).click();
      await banner(page).waitFor({ state: 'detached' });
      assert.equal(counted.count(), 0);
      await page.locator(`a[href="/trip/${walk}"]`).first().click();
      await counted.until(() => counted.events().length === 1 && counted.tracks().length === 2, 'the view of a trip');
      const [[viewed, what]] = counted.events();
      assert.equal(viewed, 'view_item');
      assert.equal(what.items[0].item_name, 'Lighthouse walk');
      assert.deepEqual([what.value, what.currency], [45, 'USD']);
      assert.deepEqual(counted.tracks().map(([name]) => name), ['PageView', 'ViewContent']);
      // The campaign that brought the visitor is known, and nothing else of the address.
      assert.equal(counted.views()[0].page_location, `${BASE}/trip/${walk}?utm_source=letter`);
      assert.equal(counted.views()[0].page_referrer, `${BASE}/trip`);
      assert.match((await page.context().cookies()).find((one) => one.name === '_fbc').value, /^fb\.1\.\d+\.AbC-1$/);
      assert.deepEqual(counted.left.google.find(([name]) => name === 'consent').slice(1), ['default', { analytics_storage: 'granted', ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'denied' }]);

      counted.forget();
      await page.goto(`${BASE}/book/${walk}`);
      await counted.until(() => counted.events().some(([name]) => name === 'begin_checkout') && counted.tracks().some(([name]) => name === 'InitiateCheckout'), 'a checkout begun');
      await at_pay(page, walk, days[1], true);
      assert(!JSON.stringify(counted.left).includes('ada@example.org'));
      // Date and party were chosen: both partners know it by one id, which the server has too.
      const [[, chosen], ...more_chosen] = counted.events().filter(([name]) => name === 'add_to_cart');
      const [[, picked, by_id]] = counted.tracks().filter(([name]) => name === 'AddToCart');
      assert.equal(more_chosen.length, 0);
      assert.match(chosen.event_id, /^[0-9a-f]{32}$/);
      assert.equal(by_id.eventID, chosen.event_id);
      assert.equal(chosen.items[0].quantity, 1);
      assert.equal(picked.month, days[1].slice(0, 7));
      assert.equal(chosen.lead, Math.round((Date.parse(days[1]) - Date.parse(new Date().toISOString().slice(0, 10))) / 864e5));
      assert.equal(await page.evaluate(() => document.querySelectorAll('script[src^="https:"]:not([src*="stripe"])').length), 0, 'no tag where names are typed');
      counted.forget();
      const reference = await book_and_pay_later(page);
      await page.waitForLoadState('networkidle');
      assert.equal(counted.events().length, 0, 'nothing is bought before it is confirmed or paid');

      const booking = (await staff('GET', `/bookings?search=${reference}`))[0];
      const total = Number(booking.total_amount ?? booking.total);
      assert(total > 0);
      await staff('PUT', `/bookings/${booking.id}/status`, { status: 'confirmed' });
      counted.forget();
      await page.reload();
      await counted.until(() => counted.events().length === 1 && counted.tracks().length === 2, 'the purchase');
      const [[bought, order]] = counted.events();
      assert.deepEqual([bought, order.transaction_id, order.value, order.currency], ['purchase', reference, total, 'USD']);
      const [, paid, by] = counted.tracks().find(([name]) => name === 'Purchase');
      assert.deepEqual([by.eventID, paid.value, paid.currency], [reference, total, 'USD']);
      assert(!JSON.stringify(counted.left.google).replace(`"transaction_id":"${reference}"`, '').includes(reference), 'the address of the booking is not told');
      counted.forget();
      await page.reload();
      await counted.until(() => counted.views().length === 1 && counted.tracks().length === 1, 'a page view');
      await page.waitForTimeout(300);
      assert.equal(counted.events().length, 0, 'once');
      assert.deepEqual(counted.tracks(), [['PageView']]);
      await page.context().close();

      // Booked by somebody who refused: told to nobody.
      const [other, seen] = await watched(wide);
      await other.goto(`${BASE}/trip`);
      await banner(other).getByRole('button', { name: 'Refuse' }).click();
      await banner(other).waitFor({ state: 'detached' });
      await at_pay(other, kayaks, days[1], true);
      const silent = await book_and_pay_later(other);
      await staff('PUT', `/bookings/${(await staff('GET', `/bookings?search=${silent}`))[0].id}/status`, { status: 'confirmed' });
      await other.reload();
      await other.waitForLoadState('networkidle');
      assert.equal(seen.count(), 0);
      await other.context().close();
    } finally {
      for (const module of modules) await staff('POST', `/modules/${module}/toggle`, { enabled: false });
    }
    const [page] = await watched(wide);
    await page.goto(`${BASE}/trip`);
    assert.equal(await banner(page).count(), 0, 'off is off');
    await page.context().close();
  });
}
