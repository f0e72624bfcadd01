// Numbers as people type them, and what a record is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { columns_of, name_of, number_text, typed_number } = kit;

test('a number is read with either decimal sign, and without the sign between thousands', () => {
  assert.equal(typed_number('12.5'), 12.5);
  assert.equal(typed_number('12,5'), 12.5);
  assert.equal(typed_number(' 1,234.50 '), 1234.5);
  assert.equal(typed_number('-3'), -3);
  assert.equal(typed_number(''), null);
});

test('what is no number stays as it was typed, and a long one keeps its digits', () => {
  assert.equal(typed_number('12 apples'), '12 apples');
  assert.equal(typed_number('1e3'), '1e3');
  assert.equal(typed_number('12345678901234567.89'), '12345678901234567.89');
});

test('a number is shown as it is stored', () => {
  assert.equal(number_text(12.5), '12.5');
  assert.equal(number_text(null), '');
  assert.equal(number_text(0), '0');
  assert.equal(number_text('12 apples'), '12 apples');
});

test('a record is called by its title, its name or what comes nearest', () => {
  assert.equal(name_of({ id: 3, title: 'Nile cruise', slug: 'nile' }), 'Nile cruise');
  assert.equal(name_of({ id: 3, customer_name: 'Ada', reference: 'B-1' }), 'Ada');
  assert.equal(name_of({ id: 3, trip: { title: 'Nile cruise' }, start_date: '2026-06-10' }), 'Nile cruise, 2026-06-10');
  assert.equal(name_of({ id: 3 }), '#3');
  assert.equal(name_of({}), '');
});

test('a list shows the columns first that its route names', () => {
  const list = {
    columns: ['mailbox', 'reason'],
    answer: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' }, reason: {}, mailbox: { type: 'string' } },
      },
    },
  };
  const found = columns_of(list);
  assert.deepEqual(
    found.filter((one) => !one.off).map((one) => one.key),
    ['mailbox', 'reason'],
  );
  assert.deepEqual(columns_of({ ...list, columns: [] })[0].key, 'name');
});
