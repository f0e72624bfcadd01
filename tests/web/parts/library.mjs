// Pictures and files as a grid: uploaded, described, looked up where they are used, refused, deleted.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

// One pixel, of a colour that no other test uploads.
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4WWEKAAOEAXfxDuqZAAAAAElFTkSuQmCC', 'base64');

export async function library() {
  const page = await opened('administrator', {});
  await go(page, '/admin/media');
  await accessible(page, 'pictures');
  const files = page.locator('input[type=file]');
  await files.setInputFiles([{ name: 'rust.png', mimeType: 'image/png', buffer: picture }, { name: 'trick.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('4d5a90000300000004000000ffff0000', 'hex') }]);
  await page.locator('main .svc-notice').getByText(/^trick\.exe: /).waitFor();
  const tile = page.getByRole('link', { name: /^rust\.png/ });
  await tile.getByText('No description').waitFor();
  await accessible(page, 'a file refused', { contrast: false });
  await tile.click();
  await page.waitForURL(/\/admin\/media\/\d+$/);
  const id = Number(page.url().split('/').pop());
  const sheet = page.getByRole('dialog', { name: 'rust.png' });
  await sheet.getByText('Nothing uses it.').waitFor();
  await sheet.getByLabel('Description').fill('A wall of rust');
  await accessible(page, 'a picture');
  // A colleague describes it first: both versions are shown, and mine is stored on purpose.
  await staff('PUT', `/media/${id}`, { alt_text: 'theirs' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else saved this meanwhile' });
  await conflict.getByRole('cell', { name: 'theirs' }).waitFor();
  await conflict.getByRole('cell', { name: 'A wall of rust' }).waitFor();
  await accessible(page, 'a picture in conflict', { contrast: false });
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await conflict.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal((await staff('GET', `/media/${id}`)).alt_text, 'A wall of rust');
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/admin\/media$/);
  await tile.getByText('A wall of rust').waitFor();
  // What shows it is told, and it cannot be deleted meanwhile.
  const place = await staff('POST', '/destinations', { name: 'Rusty coast', status: 'draft', featured_image: id });
  await go(page, `/admin/media/${id}`);
  await sheet.getByRole('link', { name: 'Rusty coast' }).waitFor();
  await sheet.getByRole('button', { name: 'Delete' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete rust.png?' });
  await asked.getByRole('button', { name: 'Delete' }).click();
  await asked.locator('.svc-notice').waitFor();
  await asked.getByRole('button', { name: 'Back' }).click();
  await sheet.getByRole('link', { name: 'Rusty coast' }).click();
  await page.getByRole('heading', { name: 'Rusty coast' }).waitFor();
  await staff('DELETE', `/destinations/${place.id}`);
  await go(page, `/admin/media/${id}`);
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/admin\/media$/);
  await tile.waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('zzqq');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForURL(/\/admin\/media$/);
  refuses(page, 409, 415, 400);
  await page.done();
  // Who may not upload or change looks.
  const guide = await opened('guide', {});
  await go(guide, '/admin/media');
  assert.equal(await guide.getByRole('button', { name: 'Upload' }).count(), 0);
  await guide.locator('.svc-library a').first().click();
  await guide.getByRole('dialog').getByText('Used by').waitFor();
  assert.equal(await guide.getByRole('dialog').getByRole('button', { name: /Save|Delete/ }).count(), 0);
  refuses(guide);
  await guide.done();
}
