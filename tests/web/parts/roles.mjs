// Each role sees what it may use: no link of its rail is refused, no button is shown that the server would refuse, and
// what an address asks for all the same is answered with a sentence.
import assert from 'node:assert/strict';

import { accessible, document_, go, lists, opened, refuses, settled, staff, users } from '../support.mjs';

const needs = (method, path) => document_.paths[path][method]['x-permission'];
const menu = {
  'Move or change the party': ['put', '/bookings/{id}'],
  'Edit travelers': ['put', '/bookings/{id}/travellers'],
  'Send an e-mail again': ['post', '/bookings/{id}/email'],
  'Cancel the booking': ['put', '/bookings/{id}/status'],
  'Move to the trash': ['delete', '/bookings/{id}'],
};

const seen = {};
async function walked(roles) {
  const [booking] = await staff('GET', '/bookings?status=pending&per_page=1');
  for (const role of roles) {
    const page = await opened(role);
    await settled(page);
    const own = await page.evaluate(async () => (await (await fetch('/svc/v1/auth/me', { headers: { 'X-Host-Nonce': localStorage.getItem('svc-nonce') } })).json()).data.capabilities);
    const may = (method, path) => needs(method, path).split(' or ').some((one) => own.includes(one) || (one.startsWith('svc_') && own.includes('manage_options')));
    const shows = async (locator, method, path) => assert.equal((await locator.count()) > 0, may(method, path), `${role}: ${method} ${path}`);
    await shows(page.locator('.svc-top').getByRole('link', { name: 'New booking' }), 'post', '/bookings');
    const areas = await page.locator('.svc-rail .svc-area-head').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const links = new Set(areas);
    const visit = async (href) => {
      await go(page, href);
      const path = href.replace('/admin', '');
      if (lists.includes(path) && document_.paths[path].post && path !== '/bookings' && !/everyone|signed in/.test(needs('post', path))) await shows(path === '/media' ? page.locator('main .svc-head').getByRole('button', { name: 'Upload' }) : path === '/additional-services' ? page.getByRole('button', { name: 'New service' }) : page.locator(`main .svc-head a[href="${href}/new"]`), 'post', path);
    };
    for (const href of areas) {
      await visit(href);
      for (const inner of await page.locator('.svc-rail ul a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))) links.add(inner);
    }
    for (const href of links) if (!areas.includes(href)) await visit(href);
    seen[role] = links.size;
    if (may('get', '/bookings/{id}') && role !== 'guide') {
      await go(page, `/admin/bookings/${booking.id}`);
      const more = page.locator('main').getByRole('button', { name: 'More' });
      const any = Object.values(menu).some(([method, path]) => may(method, path));
      assert.equal((await more.count()) > 0, any, `${role}: the menu of a booking`);
      if (any) await more.click();
      for (const [name, [method, path]] of Object.entries(menu)) await shows(page.getByRole('menuitem', { name, exact: true }), method, path);
      if (any) await page.keyboard.press('Escape');
    }
    // Addresses typed by hand: a sentence, and the server is not even asked.
    const asked = { '/settings': '/settings', '/departures': '/departures', '/reports': '/reports', '/gateways': '/payment/gateways/definitions', '/modules': '/modules', '/templates': '/site/templates', '/bookings/1': '/bookings/{id}', '/discounts': '/discounts' };
    for (const [address, path] of Object.entries(asked))
      if (!may('get', path)) {
        await go(page, `/admin${address}`);
        await page.getByText(/Your role may not see this/).waitFor();
      }
    refuses(page, 400, ...(role === 'guide' ? [404] : [])); // a guide sees bookings of own departures alone
    await page.done();
  }
  if (seen.guide && seen.manager) assert(seen.guide < seen.manager, JSON.stringify(seen));
}
const roles = Object.keys(users).filter((one) => one !== 'administrator');
export const roles_first = () => walked(roles.filter((_, at) => at % 2 === 0));
export const roles_second = () => walked(roles.filter((_, at) => at % 2 === 1));

// A right that was taken away meanwhile: the server's sentence stands in the dialog, and what was typed stays.
export async function a_right_taken_away() {
  const page = await opened('sales_agent');
  const booking = (await staff('GET', '/bookings?per_page=50')).find((one) => one.amount_due > 0 && one.status === 'confirmed');
  await go(page, `/admin/bookings/${booking.id}`);
  await page.route(/\/bookings\/\d+\/payments$/, (route) => route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"svc_forbidden","message":"You are not allowed to do this.","data":{"status":403}}' }));
  await page.getByRole('button', { name: 'Record a payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Cash on the counter');
  await dialog.getByRole('button', { name: /^Record / }).click();
  await dialog.getByText('You are not allowed to do this.').waitFor();
  await accessible(page, 'a refused right', { contrast: false });
  assert.equal(await dialog.getByLabel('Note').inputValue(), 'Cash on the counter');
  refuses(page, 403);
  await page.done();
}
