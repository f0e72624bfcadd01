// What a form holds: what was typed, what of it changed, what the server refused, and one write at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { ApiError, h, render, useForm } = kit;
globalThis.addEventListener = globalThis.removeEventListener = () => undefined;
globalThis.requestAnimationFrame = (run) => setTimeout(run, 0);

// The form as the last rendering has it, in a component that shows nothing. `saved` can be read anew.
function form_of(saved, begun) {
  const held = {};
  const Component = (props) => {
    held.form = useForm(props.saved, begun);
    return null;
  };
  const parent = { nodeType: 1, childNodes: [], firstChild: null, namespaceURI: 'http://www.w3.org/1999/xhtml' };
  held.read = (now) => render(h(Component, { saved: now }), parent);
  held.read(saved);
  return held;
}
const rendered = () => new Promise((done) => setTimeout(done, 20));

test('what is typed stays, and counts as a change until it is as before', async () => {
  const held = form_of({ name: 'Ada', age: 36 });
  assert(!held.form.dirty);
  held.form.set('name', 'Grace');
  await rendered();
  assert(held.form.dirty);
  assert.deepEqual([held.form.values, held.form.changes], [{ name: 'Grace', age: 36 }, { name: 'Grace' }]);
  held.form.set('name', 'Ada');
  await rendered();
  assert(!held.form.dirty);
  assert.deepEqual(held.form.changes, {});
});

test('what is read anew replaces what nobody changed', async () => {
  const held = form_of({ name: 'Ada', age: 36 });
  held.form.set('name', 'Grace');
  await rendered();
  held.read({ name: 'Augusta', age: 37 });
  assert.deepEqual(held.form.values, { name: 'Grace', age: 37 });
  assert.equal(held.form.before.name, 'Ada'); // what was stored when the change began
});

test('a new record begins with values that are sent but are no change', async () => {
  const begun = { status: 'draft' };
  const held = form_of(undefined, begun);
  assert(!held.form.dirty);
  let sent;
  assert(await held.form.submit(async (changes) => (sent = changes)));
  assert.deepEqual(sent, { status: 'draft' });
});

test("a refusal stands at its fields until they are typed in again, and a list's item with its list", async () => {
  const held = form_of({ name: 'Ada' });
  const refuse = () =>
    Promise.reject(
      new ApiError(422, 'svc_validation_error', 'Some fields are wrong.', { name: ['A.'], 'tags.0': ['B.'] }),
    );
  assert.equal(await held.form.submit(refuse), false);
  await rendered();
  assert.deepEqual(held.form.errors, { name: ['A.'], 'tags.0': ['B.'] });
  assert.equal(held.form.message, 'Some fields are wrong.');
  held.form.set('tags', ['c']);
  await rendered();
  assert.deepEqual(held.form.errors, { name: ['A.'] });
});

test('a version that somebody else stored is a conflict, and nothing is written', async () => {
  const held = form_of({ name: 'Ada', row_version: 3 });
  held.form.set('name', 'Grace');
  await rendered();
  let writes = 0;
  const write = async () => (writes += 1);
  assert.equal(await held.form.submit(write, async () => ({ name: 'Augusta', row_version: 4 })), false);
  await rendered();
  assert.deepEqual([writes, held.form.conflict.data.row_version], [0, 4]);
  assert.equal(held.form.values.name, 'Grace');
  assert(await held.form.submit(write, async () => ({ name: 'Ada', row_version: 4 }))); // another field changed
  assert.equal(writes, 1);
});

test('a second press while the first write runs does nothing', async () => {
  const held = form_of({ name: 'Ada' });
  let writes = 0;
  const write = () => ((writes += 1), rendered());
  const first = held.form.submit(write);
  assert.equal(await held.form.submit(write), false);
  assert(await first);
  assert.equal(writes, 1);
});
