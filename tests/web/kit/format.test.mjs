// Amounts and days as the admin writes them, against vectors.json, which tests/base/settings/values/look_test.cpp reads, too.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { day, display, instant_of, money, typed_moment } = kit;
const vectors = JSON.parse(fs.readFileSync(process.env.VECTORS, 'utf8'));
assert(vectors.money.length > 5 && vectors.days.length > 2);

test('amounts and days are written as the server writes them', () => {
  for (const one of vectors.money) {
    display.value = {
      ...display.value,
      currency_position: one.position,
      decimal_separator: one.decimal,
      thousand_separator: one.thousand,
    };
    assert.equal(money(one.amount, one.currency), one.shown);
    // As it comes in JSON, where the shortest decimal that means the number is exact within 2^53.
    assert.equal(money(JSON.parse(one.amount), one.currency), one.shown);
  }
  for (const one of vectors.days) assert.equal(day(one.day, one.format), one.shown);
});

// Moments are typed on the site's clock, whatever the browser's is: in winter, in summer, in the hour that is skipped and the one that comes twice.
test("moments are typed on the site's clock", () => {
  display.value = { ...display.value, timezone: 'Europe/Berlin' };
  for (const [typed, instant] of [
    ['2026-01-15T09:00', '2026-01-15T08:00:00Z'],
    ['2026-07-15T09:00', '2026-07-15T07:00:00Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00Z'],
    ['2026-03-29T01:59', '2026-03-29T00:59:00Z'],
  ]) {
    assert.equal(instant_of(typed), instant);
    assert.equal(typed_moment(instant), typed);
  }
  assert.equal(instant_of('2026-03-29T02:30'), '2026-03-29T01:30:00Z');
  assert(['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].includes(instant_of('2026-10-25T02:30')));
  display.value = { ...display.value, timezone: 'America/St_Johns' };
  assert.equal(instant_of('2026-07-01T00:15'), '2026-07-01T02:45:00Z');
  assert.equal(typed_moment(''), '');
});
