// Each role sees what it may use: no link of its rail is refused.
import assert from 'node:assert/strict';

import { go, opened, refuses, settled, users } from '../support.mjs';

const seen = {};
async function walked(roles) {
  for (const role of roles) {
    const page = await opened(role);
    await settled(page);
    const areas = await page.locator('.svc-rail .svc-area-head').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const links = new Set(areas);
    for (const href of areas) {
      await go(page, href);
      for (const inner of await page.locator('.svc-rail ul a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))) links.add(inner);
    }
    for (const href of links) if (!areas.includes(href)) await go(page, href);
    seen[role] = links.size;
    refuses(page, 400);
    await page.done();
  }
  if (seen.guide && seen.manager) assert(seen.guide < seen.manager, JSON.stringify(seen));
}
const roles = Object.keys(users).filter((one) => one !== 'administrator');
export const roles_first = () => walked(roles.filter((_, at) => at % 2 === 0));
export const roles_second = () => walked(roles.filter((_, at) => at % 2 === 1));
