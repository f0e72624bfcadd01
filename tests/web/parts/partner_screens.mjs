// The screens of partners, landing pages and the licence without a mouse: Tab reaches all that can be used, in the order
// of the page, where it is can be seen, and axe finds nothing, on a desk and on a phone. The list of what is not so is
// printed whole.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

const screens = [
  ['/admin/google-calendar', 'Google Calendar'],
  ['/admin/google-calendar/log', 'calls of Google'],
  ['/admin/mailchimp/settings', 'Mailchimp'],
  ['/admin/mailchimp/log', 'log of Mailchimp'],
  ['/admin/facebook-pixel/event-logs', 'Facebook Pixel'],
  ['/admin/google-analytics/logs', 'Google Analytics'],
  ['/admin/landing-pages', 'landing pages'],
  ['/admin/landing-pages/new', 'a new landing page'],
  ['/admin/modules', 'modules and licence'],
];

// Marks what can be used within main, and answers how much that is.
const marked = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex])')];
    const usable = all.filter((one) => {
      if (one.disabled || one.tabIndex < 0 || one.closest('[inert], [hidden], dialog:not([open]), [popover]:not(:popover-open)')) return false;
      if (one.type === 'radio' && !one.checked && one.form?.querySelector(`[name="${one.name}"]:checked`)) return false;
      return one.checkVisibility({ checkVisibilityCSS: true }) && one.getClientRects().length > 0;
    });
    usable.forEach((one, at) => (one.dataset.walked = String(at)));
    return usable.map((one) => `${one.tagName.toLowerCase()} "${(one.getAttribute('aria-label') || one.innerText || one.labels?.[0]?.innerText || one.name || '').trim().slice(0, 40)}"`);
  });

// What is focused now: its mark, and whether it can be seen to be.
const here = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    const look = getComputedStyle(one);
    const around = one.parentElement && getComputedStyle(one.parentElement);
    const is_seen = (style) => style && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
    return { mark: one.dataset?.walked ?? null, main: !!one.closest('main'), shown: is_seen(look) || is_seen(around) || one.matches(':focus-visible') && look.outlineStyle !== 'none' };
  });

async function walk(page, name, findings) {
  const names = await marked(page);
  await page.evaluate(() => {
    const main = document.querySelector('main');
    main.tabIndex = -1;
    main.focus();
  });
  const reached = [], unseen = new Set();
  for (let steps = 0; steps < names.length + 40; steps += 1) {
    await page.keyboard.press('Tab');
    const at = await here(page);
    if (!at.main && reached.length) break;
    if (at.mark === null) continue;
    if (reached.includes(Number(at.mark))) break;
    reached.push(Number(at.mark));
    if (!at.shown) unseen.add(names[at.mark]);
  }
  const missed = names.filter((_, at) => !reached.includes(at));
  if (missed.length) findings.push(`${name}: Tab does not reach ${missed.join(', ')}`);
  if (unseen.size) findings.push(`${name}: the focus is not seen on ${[...unseen].join(', ')}`);
  const is_in_order = reached.every((one, at) => at === 0 || one > reached[at - 1]);
  if (!is_in_order) findings.push(`${name}: the order of Tab is not that of the page: ${reached.join(' ')}`);
}

export async function partner_screens() {
  const findings = [];
  const page = await opened('administrator', {});
  for (const [width, height] of [[1280, 900], [360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const [path, name] of screens) {
      await go(page, path);
      await settled(page);
      await accessible(page, `${name}, ${width} px`);
      await walk(page, `${name}, ${width} px`, findings);
      if (!(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))) findings.push(`${name}: wider than ${width} px`);
    }
  }
  for (const one of findings) console.log(`finding: ${one}`);
  assert.deepEqual(findings, []);
  refuses(page);
  await page.context().close();

  // What the server refuses is said at its field in the reader's language.
  const german = await opened('administrator', { language: 'de' });
  await go(german, '/admin/landing-pages/new');
  await german.getByLabel(/^Titel(?! )/).first().fill('Schnee');
  await german.getByRole('button', { name: 'Block hinzufügen' }).click();
  await german.getByRole('menuitem', { name: 'Schaltfläche' }).click();
  await german.getByRole('button', { name: 'Speichern', exact: true }).click();
  const fault = german.locator('main p.svc-error').first();
  await fault.waitFor();
  assert(!/^(Enter|This)/.test(await fault.innerText()), `in English: ${await fault.innerText()}`);
  refuses(german, 400);
  await german.context().close();
  assert.equal((await staff('GET', '/landing-pages?search=Schnee')).length, 0);
}
