// A merge tag put its title into the e-mail instead of its key, and was mailed as it stood.
import assert from 'node:assert/strict';

import { go, opened, refuses, settled } from '../support.mjs';

export async function merge_tags() {
  const page = await opened('administrator');
  await go(page, '/admin/emails');
  await page.getByRole('button', { name: /^Edit / }).first().click();
  await settled(page);
  const chip = page.locator('.svc-chips button, .svc-tags button, button.svc-chip').first();
  await chip.waitFor();
  const body = page.getByLabel(/^(Body|Text|Content|Message)/).first();
  await body.focus();
  await chip.click();
  assert.match(await body.inputValue(), /\{\{\s*[a-z_]+\s*\}\}/);
  refuses(page);
  await page.done();
}
