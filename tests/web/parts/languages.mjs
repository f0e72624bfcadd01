// The admin in the languages it ships, in a pseudo-locale, and from right to left.
import assert from 'node:assert/strict';

import { BASE, accessible, document_, failures, go, lists, opened, refuses, settled, staff } from '../support.mjs';

const paths = ['', '/bookings', '/reports', '/tools/export', '/settings', '/bookings/new', '/destinations/new', '/self'];

const names = {
  de: { login: 'Anmeldename oder E-Mail', password: 'Passwort', enter: 'Anmelden', bookings: 'Buchungen', setting: ['Stunden bis zum Verfall', 'Stunden, nach denen eine unbezahlte Buchung verfällt, wenn ihre Zahlungsart keine eigene Frist in Tagen hat; 0: keine verfällt.'] },
  es: { login: 'Usuario o correo electrónico', password: 'Contraseña', enter: 'Iniciar sesión', bookings: 'Reservas', setting: ['Horas hasta el vencimiento', 'Horas tras las que vence una reserva sin pagar, salvo que su forma de pago tenga días propios; 0: no vence ninguna.'] },
  fr: { login: 'Identifiant ou e-mail', password: 'Mot de passe', enter: 'Se connecter', bookings: 'Réservations', setting: ['Heures avant expiration', 'Heures après lesquelles une réservation impayée expire, sauf si son mode de paiement a ses propres jours ; 0 : aucune n’expire.'] },
};

export async function languages() {
  const outside = await opened(null);
  await outside.goto(`${BASE}/admin`);
  for (const [code, said] of Object.entries(names)) {
    await outside.evaluate((one) => localStorage.setItem('svc-language', one), code);
    await outside.reload();
    await outside.getByLabel(said.login).waitFor();
    await outside.getByLabel(said.password).waitFor();
    await outside.getByRole('button', { name: said.enter }).waitFor();
    const page = await opened('administrator', { language: code });
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    await go(page, '/admin/bookings');
    await page.getByRole('heading', { name: said.bookings, level: 1 }).waitFor();
    await go(page, '/admin/settings?group=booking');
    await page.getByLabel(said.setting[0]).waitFor();
    await page.getByText(said.setting[1]).waitFor();
    if (code === 'de')
      for (const path of paths) {
        await go(page, `/admin${path}`);
        await accessible(page, `${path || 'today'} in German`, { contrast: false });
      }
    refuses(page);
    await page.done();
  }
  await outside.done();
}

// What the frame says of the server is said again when its words have come, which is after the frame itself.
export async function late_words() {
  const page = await opened('administrator', { language: 'de' });
  await page.route(/\/names-de-[^/]+$/, async (route) => {
    await page.waitForTimeout(600);
    return route.continue();
  });
  await page.goto(`${BASE}/admin/difficulty-levels`);
  await page.locator('.svc-rail').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual([await page.locator('main h1').innerText(), await page.locator('.svc-rail a[aria-current=page]').innerText()], ['Schwierigkeitsgrade', 'Schwierigkeitsgrade']);
  refuses(page);
  await page.done();
}

// Long words on a phone and a desk: nothing is wider than the window, and what is not translated shows itself.
export async function pseudo_locale() {
  const page = await opened('administrator', { language: 'en-XA', viewport: { width: 360, height: 740 } });
  for (const path of paths) {
    await go(page, `/admin${path}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) failures.push(`${path || 'today'} with long words is ${wide} px wider than a phone`);
    const plain = await page.locator('h1, .svc-button > span, th, .svc-tabs a').evaluateAll((all) => all.map((one) => one.firstChild?.nodeType === 3 ? one.firstChild.textContent.trim() : '').filter((text) => /^[A-Za-z ]{3,}$/.test(text)));
    if (path !== '/settings' && plain.length) failures.push(`${path || 'today'} says without a translation: ${[...new Set(plain)].join(' | ')}`);
  }
  refuses(page);
  await page.done();
}

// Screens from the interface's description: lists with their filters and columns, forms, menus and dialogs.
const labels = 'label, legend, th, dt, h2, summary, .svc-label, .svc-tabs a, .svc-button, [role=menuitem], .svc-filter > span, .svc-check, dialog p, .svc-field > small';
async function plain_labels(page) {
  const own = (text) => text.map((one) => one.trim()).filter((one) => /^[A-Za-z][A-Za-z ,.;:'-]{2,}$/.test(one));
  return own(await page.locator(labels).evaluateAll((all) => all.flatMap((one) => (one.checkVisibility() ? [...one.childNodes, ...(one.querySelector(':scope > span')?.childNodes ?? [])].filter((node) => node.nodeType === 3).map((node) => node.textContent) : []))));
}
export async function generic_labels() {
  const page = await opened('administrator', { language: 'en-XA' });
  const found = new Map();
  const look = async (where) => {
    for (const one of await plain_labels(page)) found.set(one, where);
  };
  for (const path of lists) {
    await go(page, `/admin${path}`);
    await page.locator('main .svc-bar button[aria-expanded=false]').evaluateAll((all) => all.forEach((one) => one.click()));
    await look(path);
    const { post, get } = document_.paths[path];
    if (post && post['x-permission'].startsWith('svc_') && post.requestBody && path !== '/bookings' && path !== '/media') {
      await go(page, `/admin${path}/new`);
      await look(`${path}/new`);
    }
    assert(get);
  }
  const [destination] = await staff('GET', '/destinations?per_page=1');
  await go(page, `/admin/destinations/${destination.id}`);
  await page.locator('main details summary').last().click();
  await page.locator('main .svc-head button[aria-haspopup=menu]').first().click();
  await look('a record');
  await page.keyboard.press('Escape');
  await go(page, '/admin/everything');
  for (const one of await page.locator('main details summary').all()) await one.click();
  const rows = page.locator('main .svc-rows li button > span:first-child');
  const plain = (await rows.allInnerTexts()).filter((one) => /^[A-Za-z ]{3,}/.test(one));
  if (plain.length) found.set(plain[0], 'everything');
  await page.locator('main .svc-rows li button', { hasText: '/bulk' }).first().click();
  await settled(page);
  await look('an action');
  if (found.size) failures.push(`without a translation: ${[...found].map(([text, where]) => `${text} (${where})`).join(' | ')}`);
  refuses(page, 400);
  await page.done();
}

export async function right_to_left() {
  const page = await opened('administrator', { language: 'ar-XB' });
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
  for (const path of paths) {
    await go(page, `/admin${path}`);
    await accessible(page, `${path || 'today'} from right to left`, { contrast: false });
  }
  const rail = await page.locator('.svc-rail').boundingBox();
  assert(rail.x > 900, `the rail is at the right, not at ${rail.x}`);
  refuses(page);
  await page.done();
}

// Without a choice of one's own it is the site's language; the choice is kept.
export async function own_language() {
  const page = await opened('administrator', {});
  await go(page, '/admin/self');
  await page.getByLabel('Language').selectOption('fr');
  await page.locator('html[lang=fr]').waitFor();
  await page.getByRole('heading', { name: 'Mon compte', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Mon compte', level: 1 }).waitFor();
  await page.getByLabel('Langue').selectOption('');
  await page.locator('html[lang=en]').waitFor();
  assert.equal((await staff('GET', '/settings?group=site_language')).site_language, 'en');
  refuses(page);
  await page.done();
}
