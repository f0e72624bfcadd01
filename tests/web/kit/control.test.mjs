// Which control a field gets by what OpenAPI says of it, what a status may become, and the lists that ids are of.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { choices_of, control_of, line_type, list_of, next_statuses, operations, statuses_of } = kit;
const route = (path, permission = 'everyone') => ({ method: 'get', path, permission, parameters: [] });
operations.value = [route('/trips'), route('/media'), route('/destinations'), route('/users', 'manage_options')];

test('an id is chosen from the list that it refers to, whatever its name is', () => {
  assert.equal(list_of({ type: 'integer', 'x-refers-to': 'trips' }), '/trips');
  assert.equal(control_of({ type: 'integer', 'x-refers-to': 'trips' }), 'record');
  assert.equal(control_of({ type: ['integer', 'null'], 'x-refers-to': 'trips' }), 'record');
  assert.equal(control_of({ type: 'array', items: { type: 'integer' }, 'x-refers-to': 'trips' }), 'records');
  assert.equal(control_of({ type: ['array', 'null'], items: {}, 'x-refers-to': 'destinations' }), 'records');
  assert.equal(control_of({ type: 'integer' }), 'number');
});

test('an id of a list that does not exist or that the role may not read is a number', () => {
  assert.equal(list_of({ type: 'integer', 'x-refers-to': 'users' }), undefined);
  assert.equal(control_of({ type: 'integer', 'x-refers-to': 'users' }), 'number');
  assert.equal(control_of({ type: 'integer', 'x-refers-to': 'consent/forms' }), 'number');
});

test("a dot refers to the record's own list", () => {
  const parent = { type: ['integer', 'null'], 'x-refers-to': '.' };
  assert.equal(list_of(parent, '/destinations'), '/destinations');
  assert.equal(list_of(parent), undefined);
  assert.equal(control_of(parent), 'number');
});

test('pictures are chosen as pictures; the address of one is a line', () => {
  const media = { 'x-kind': 'picture', 'x-refers-to': 'media' };
  assert.equal(control_of({ type: 'integer', ...media }), 'picture');
  assert.equal(control_of({ type: 'array', items: { type: 'integer' }, ...media }), 'pictures');
  assert.equal(control_of({ type: 'integer', 'x-refers-to': 'media' }), 'record');
  assert.equal(control_of({ type: 'string', maxLength: 500, 'x-kind': 'picture' }), 'line');
});

test('texts are HTML, lines or a line', () => {
  assert.equal(control_of({ type: 'string', maxLength: 5000, 'x-kind': 'html' }), 'html');
  assert.equal(control_of({ type: 'string', maxLength: 5000, 'x-kind': 'lines' }), 'lines');
  assert.equal(control_of({ type: 'string', maxLength: 500 }), 'lines');
  assert.equal(control_of({ type: 'string', maxLength: 300 }), 'line');
  assert.equal(control_of({ type: 'string', maxLength: 2000, 'x-kind': 'url' }), 'line');
  assert.equal(control_of({ type: 'string', format: 'date' }), 'line');
});

test('other values have the control of their type', () => {
  assert.equal(control_of({ type: 'boolean' }), 'switch');
  assert.equal(control_of({ type: 'string', enum: ['a', 'b'] }), 'choice');
  assert.equal(control_of({ type: 'number' }), 'number');
  assert.equal(control_of({ type: 'array', items: { type: 'string' } }), 'items');
  assert.equal(control_of({ type: 'array', items: { type: 'object', properties: {} } }), 'rows');
  assert.equal(control_of({ type: 'object', properties: { a: { type: 'string' } } }), 'group');
  assert.equal(control_of({ type: 'object' }), 'json');
  assert.equal(control_of({}), 'json');
});

test('a line is typed as its kind; a value that does not fit stays as it is', () => {
  assert.equal(line_type({ type: 'string', format: 'date-time' }, ''), 'datetime-local');
  assert.equal(line_type({ type: 'string', format: 'email' }, ''), 'email');
  assert.equal(line_type({ type: 'string', 'x-kind': 'day' }, '2026-06-10'), 'date');
  assert.equal(line_type({ type: 'string', 'x-kind': 'day' }, '2026-06-10T09:00:00Z'), 'text');
  assert.equal(line_type({ type: 'string', 'x-kind': 'color' }, '#aabbcc'), 'color');
  assert.equal(line_type({ type: 'string', 'x-kind': 'color' }, 'red'), 'text');
  assert.equal(line_type({ type: 'string', 'x-kind': 'secret' }, ''), 'password');
  assert.equal(line_type({ type: 'string', 'x-kind': 'phone' }, ''), 'tel');
  assert.equal(line_type({ type: 'string' }, ''), 'text');
});

const next = { open: ['closed'], held: ['open', 'closed'], closed: [] };
test('a stored status offers itself and what may follow it', () => {
  const schema = { type: 'string', enum: ['open', 'held', 'closed'], 'x-next': next };
  assert.deepEqual(choices_of(schema, 'open'), ['open', 'closed']);
  assert.deepEqual(choices_of(schema, 'closed'), ['closed']);
  assert.deepEqual(choices_of(schema), ['open', 'held', 'closed']);
  assert.deepEqual(choices_of({ type: 'string', 'x-next': next }), ['open', 'held', 'closed']);
  assert.deepEqual(choices_of({ type: ['string', 'null'], enum: ['a', null] }), ['a']);
});

test('the next statuses are those of the route that sets the status', () => {
  const puts = { body: { type: 'object', properties: { status: { type: 'string', 'x-next': next } } } };
  assert.deepEqual(next_statuses(puts, 'held'), ['open', 'closed']);
  assert.deepEqual(next_statuses(puts, 'unheard'), []);
  assert.deepEqual(next_statuses(undefined, 'open'), []);
});

test('a list has a tab for each of its statuses, and none for a second spelling', () => {
  const status = { name: 'status', schema: { enum: ['all', 'on-hold', 'sold_out', 'trash', 'on_hold'] } };
  assert.deepEqual(statuses_of({ parameters: [status] }), ['all', 'on-hold', 'sold_out', 'trash']);
  assert.deepEqual(statuses_of({ parameters: [] }), []);
});
