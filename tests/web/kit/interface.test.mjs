// What the admin reads out of OpenAPI: schemas through references, what is null, and lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { fields, is_list, kind, label_of, nullable, resolved } = kit;

test('a schema in parts is joined', () => {
  const whole = resolved({
    allOf: [
      { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      { properties: { name: { type: 'string' } } },
    ],
  });
  assert.deepEqual(Object.keys(whole.properties), ['id', 'name']);
  assert.deepEqual([whole.type, whole.required], ['object', ['id']]);
});

test('null beside a type marks a field that may be empty and leaves its kind', () => {
  for (const schema of [{ type: ['string', 'null'] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }]) {
    assert(nullable(schema));
    assert.equal(kind(resolved(schema)), 'string');
  }
  assert(!nullable({ type: 'string' }));
  assert(!nullable(undefined));
});

test('a schema that contains itself ends', () => {
  const self = { type: 'object', properties: {} };
  self.allOf = [self];
  assert.equal(kind(resolved(self)), 'object');
});

test('fields of nothing are none', () => {
  assert.deepEqual(fields(null), {});
  assert.deepEqual(fields({ type: 'string' }), {});
});

test('a list reads with pages and answers an array', () => {
  const one = {
    method: 'get',
    parameters: [{ name: 'page' }],
    answer: { type: 'array', items: {} },
    summary: 'Bookings, newest first.',
  };
  assert(is_list(one));
  assert(!is_list({ ...one, parameters: [] }));
  assert(!is_list({ ...one, answer: { type: 'object' } }));
  assert(!is_list({ ...one, method: 'post' }));
  assert.equal(label_of(one), 'Bookings');
});
