// Texts with their values and plurals, amounts as people type them, and writes of a version that was read.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { ApiError, decimal, filled, minor, versioned } = kit;

test('a text is filled with its values', () => {
  assert.equal(filled('{0} of {1}', [2, 'ten']), '2 of ten');
  assert.equal(filled('{0}{2}', ['a', 'b']), 'a');
  assert.equal(filled('No value', [1]), 'No value');
});

test('a text has the form of its number', () => {
  const days = '{0, plural, =0 {no day} one {# day} other {# days}}';
  assert.deepEqual(
    [0, 1, 2].map((one) => filled(days, [one])),
    ['no day', '1 day', '2 days'],
  );
  assert.equal(filled('{0, plural, one {# day of {1}} other {# days of {1}}}', [3, 'July']), '3 days of July');
});

test('an amount is read in the minor units of its currency, exactly', () => {
  assert.equal(minor('1234.5', 'USD'), 123450n);
  assert.equal(minor('-0.05', 'EUR'), -5n);
  assert.equal(minor('1200', 'JPY'), 1200n);
  assert.equal(minor('1.250', 'KWD'), 1250n);
  assert.equal(minor('90071992547409.93', 'USD'), 9007199254740993n);
  for (const [text, currency] of [
    ['1.005', 'USD'],
    ['1.5', 'JPY'],
    ['1e3', 'USD'],
    ['1,50', 'EUR'],
    ['', 'USD'],
  ])
    assert.equal(minor(text, currency), null);
});

test('minor units are written as the interface takes them', () => {
  assert.equal(decimal(123450n, 'USD'), '1234.50');
  assert.equal(decimal(-5n, 'EUR'), '-0.05');
  assert.equal(decimal(7n, 'JPY'), '7');
});

test('a lost update shows the version that is stored now', async () => {
  const lost = () => Promise.reject(new ApiError(409, 'svc_conflict', 'Somebody else saved this.'));
  const now = await versioned(lost, 3, async () => ({ row_version: 5 })).catch((one) => one);
  assert.equal(now.data.row_version, 5);
  // The same version: the conflict is another one, and stays as it is.
  assert.equal(
    (await versioned(lost, 3, async () => ({ row_version: 3 })).catch((one) => one)).data.row_version,
    undefined,
  );
  const unread = await versioned(lost, 3, () => Promise.reject(new Error('down'))).catch((one) => one);
  assert.equal(unread.code, 'svc_conflict');
  assert.equal(
    await versioned(
      async () => 'saved',
      3,
      async () => ({}),
    ),
    'saved',
  );
});
