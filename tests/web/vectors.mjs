// Amounts and days as the admin writes them, against vectors.json, which tests/base/settings/look_test.cpp reads, too.
// node vectors.mjs VECTORS, beside the web build's node_modules.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { build } from 'esbuild';

const vectors = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
await build({ entryPoints: ['src/kit/format.ts'], bundle: true, format: 'esm', outfile: 'format.mjs', preserveSymlinks: true, external: ['words:*'], logLevel: 'error' });
const { display, money, day } = await import(`${process.cwd()}/format.mjs`);
for (const one of vectors.money) {
  display.value = { ...display.value, currency_position: one.position, decimal_separator: one.decimal, thousand_separator: one.thousand };
  assert.equal(money(one.amount, one.currency), one.shown);
  // As it comes in JSON, where the shortest decimal that means the number is exact within 2^53.
  assert.equal(money(JSON.parse(one.amount), one.currency), one.shown);
}
for (const one of vectors.days) assert.equal(day(one.day, one.format), one.shown);
console.log(`${vectors.money.length} amounts, ${vectors.days.length} days`);
