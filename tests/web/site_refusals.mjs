// Refused forms of the site in Chromium: the title says so first, and the focus is on what is wrong.
import assert from 'node:assert/strict';
import { BASE, choose, days, fill_details, opened, sign_in, slugs, sound } from './visitor.mjs';

const [kayaks] = slugs;

// Browsers stop most of these forms by themselves; what the server says is seen without their help.
const without_checks = (page) => page.evaluate(() => document.querySelectorAll('form').forEach((one) => (one.noValidate = true)));

async function refused(page, name) {
  await page.getByRole('alert').first().waitFor();
  await page.waitForLoadState();
  // Chromium gives `autofocus` its focus with the first frame that it draws: on a busy machine that is after the page has loaded.
  let seen;
  for (const end = Date.now() + 10_000; ; await new Promise((next) => setTimeout(next, 50))) {
    seen = await page.evaluate(() => ({ title: document.title, role: document.activeElement?.getAttribute('role'), text: document.activeElement?.textContent ?? '' }));
    if (seen.role === 'alert' || Date.now() > end) break;
  }
  assert(seen.title.startsWith('Error: '), `${name}: ${seen.title}`);
  assert.equal(seen.role, 'alert', `${name}: the focus is on ${seen.text.slice(0, 80)}`);
  await sound(page, name);
}

export function add_refusals(part) {
  for (const scripts of [true, false])
    part(`refused forms${scripts ? '' : ' without scripts'}`, async () => {
      const page = await opened({ javaScriptEnabled: scripts });
      const name = (what) => `${what}, refused${scripts ? '' : ', without scripts'}`;
      const send = async (path, button) => {
        await page.goto(BASE + path);
        await without_checks(page);
        await page.locator('main').getByRole('button', { name: button }).first().click();
        await refused(page, name(path));
      };
      await send(`/trip/${kayaks}/enquiry`, /./);
      await send('/account/login', 'Sign in');
      await send('/account/register', 'Create the account');
      await send('/account/forgot', 'Send the link');
      await send('/account/find-booking', 'Mail me the link');
      if (scripts) {
        // The page itself asks for a day, without the server.
        await page.goto(`${BASE}/book/${kayaks}`);
        await page.locator('.svc-grid [data-date]').first().waitFor();
        await page.getByRole('button', { name: 'Continue to your details' }).click();
        assert.match(await page.locator('.svc-chosen.svc-error').innerText(), /\S/);
        assert(await page.evaluate(() => document.activeElement.matches('[data-date]')), 'the focus is on a day');
        await sound(page, name('no day chosen'));
      } else await send(`/book/${kayaks}`, 'Continue to your details');
      await choose(page, kayaks, days[0], scripts);
      await page.getByRole('button', { name: 'Continue to your details' }).click();
      await page.getByRole('heading', { name: 'Your details' }).waitFor();
      await without_checks(page);
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await refused(page, name('details'));
      await fill_details(page);
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
      await page.locator('summary', { hasText: 'coupon' }).click();
      await page.locator('[name=code]').fill('NONESUCH');
      await page.locator('button[value=coupon]').click();
      await refused(page, name('coupon'));
      await page.locator('input[value=pay_later]').check();
      await page.getByRole('button', { name: /^Book for/ }).click();
      await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
      assert(!(await page.title()).startsWith('Error'));
      await page.locator('summary', { hasText: 'Cancel this booking' }).click();
      await without_checks(page);
      await page.getByRole('button', { name: 'Cancel the booking' }).click();
      await refused(page, name('cancelling'));
      await sign_in(page);
      await page.goto(`${BASE}/account/profile`);
      await without_checks(page);
      await page.locator('button[value=password]').click();
      await refused(page, name('password'));
      await page.context().close();
    });
}
