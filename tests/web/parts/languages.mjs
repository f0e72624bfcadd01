// The admin in the languages it ships, in a pseudo-locale, and from right to left.
import assert from 'node:assert/strict';

import { BASE, accessible, failures, go, opened, refuses, staff, users } from '../support.mjs';

const paths = ['', '/bookings', '/reports', '/tools/export', '/settings', '/bookings/new', '/destinations/new', '/self'];

async function speaking(code, options = {}) {
  const page = await opened(null, options);
  await page.goto(`${BASE}/admin`);
  await page.evaluate((one) => localStorage.setItem('svc-language', one), code);
  return page;
}
async function signed_in(page, [login, password], names) {
  await page.goto(`${BASE}/admin`);
  await page.getByLabel(names.login).fill(login);
  await page.getByLabel(names.password).fill(password);
  await page.getByRole('button', { name: names.enter }).click();
  await page.locator('.svc-frame').waitFor();
}

export async function languages() {
  const names = {
    de: { login: 'Anmeldename oder E-Mail', password: 'Passwort', enter: 'Anmelden', bookings: 'Buchungen' },
    es: { login: 'Usuario o correo electrónico', password: 'Contraseña', enter: 'Iniciar sesión', bookings: 'Reservas' },
    fr: { login: 'Identifiant ou e-mail', password: 'Mot de passe', enter: 'Se connecter', bookings: 'Réservations' },
  };
  for (const [code, said] of Object.entries(names)) {
    const page = await speaking(code);
    await signed_in(page, users.administrator, said);
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    await go(page, '/admin/bookings');
    await page.getByRole('heading', { name: said.bookings, level: 1 }).waitFor();
    if (code === 'de')
      for (const path of paths) {
        await go(page, `/admin${path}`);
        await accessible(page, `${path || 'today'} in German`);
      }
    refuses(page);
    await page.context().close();
  }
}

// Long words on a phone and a desk: nothing is wider than the window, and what is not translated shows itself.
export async function pseudo_locale() {
  const page = await speaking('en-XA', { viewport: { width: 360, height: 740 } });
  await page.goto(`${BASE}/admin`);
  await page.locator('input').nth(0).fill(users.administrator[0]);
  await page.locator('input').nth(1).fill(users.administrator[1]);
  await page.keyboard.press('Enter');
  await page.locator('.svc-frame').waitFor();
  for (const path of paths) {
    await go(page, `/admin${path}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) failures.push(`${path || 'today'} with long words is ${wide} px wider than a phone`);
    const plain = await page.locator('h1, .svc-button > span, th, .svc-tabs a').evaluateAll((all) => all.map((one) => one.firstChild?.nodeType === 3 ? one.firstChild.textContent.trim() : '').filter((text) => /^[A-Za-z ]{3,}$/.test(text)));
    if (path !== '/settings' && plain.length) failures.push(`${path || 'today'} says without a translation: ${[...new Set(plain)].join(' | ')}`);
  }
  refuses(page);
  await page.context().close();
}

export async function right_to_left() {
  const page = await speaking('ar-XB');
  await page.goto(`${BASE}/admin`);
  await page.locator('input').nth(0).fill(users.administrator[0]);
  await page.locator('input').nth(1).fill(users.administrator[1]);
  await page.keyboard.press('Enter');
  await page.locator('.svc-frame').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
  for (const path of paths) {
    await go(page, `/admin${path}`);
    await accessible(page, `${path || 'today'} from right to left`);
  }
  const rail = await page.locator('.svc-rail').boundingBox();
  assert(rail.x > 900, `the rail is at the right, not at ${rail.x}`);
  refuses(page);
  await page.context().close();
}

// Without a choice of one's own it is the site's language; the choice is kept.
export async function own_language() {
  const page = await opened('administrator');
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
  await page.context().close();
}
