// The admin in the languages it ships, in a pseudo-locale, and from right to left.
import assert from 'node:assert/strict';

import { BASE, accessible, failures, go, opened, refuses, staff } from '../support.mjs';

const paths = ['', '/bookings', '/reports', '/tools/export', '/settings', '/bookings/new', '/destinations/new', '/self'];

const names = {
  de: { login: 'Anmeldename oder E-Mail', password: 'Passwort', enter: 'Anmelden', bookings: 'Buchungen' },
  es: { login: 'Usuario o correo electrónico', password: 'Contraseña', enter: 'Iniciar sesión', bookings: 'Reservas' },
  fr: { login: 'Identifiant ou e-mail', password: 'Mot de passe', enter: 'Se connecter', bookings: 'Réservations' },
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
