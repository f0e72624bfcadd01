// Each role sees what it may use: no link of its rail is refused.
import assert from 'node:assert/strict';

import { go, opened, refuses, settled, users } from '../support.mjs';

export async function roles() {
  const seen = {};
  for (const role of Object.keys(users).filter((one) => one !== 'administrator')) {
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
    await page.context().close();
  }
  assert(seen.guide < seen.manager, JSON.stringify(seen));
}
