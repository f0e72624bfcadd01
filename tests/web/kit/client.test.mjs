// Calls of the interface: addresses, refusals as sentences at fields, the session that ended, writes that are sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kit } from './kit.mjs';

const { ApiError, address, api, pending, send, settleSignIn, signInWanted } = kit;
let calls = [];
// The next answers of the server, in their order.
function answers(...all) {
  calls = [];
  globalThis.fetch = async (url, options) => {
    calls.push({ url, ...options });
    const next = all.shift();
    if (next instanceof Error) throw next;
    const [status, body, headers = {}] = next;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
}

test('an address has its ids in the path and what is not empty behind it', () => {
  assert.equal(address('/bookings/{id}', { id: 7, page: 2, search: '', status: null }), '/svc/v1/bookings/7?page=2');
  assert.equal(address('/media/{name}', { name: 'a b/ü' }), '/svc/v1/media/a%20b%2F%C3%BC');
  assert.equal(address('/trips', { include: [3, 5] }), '/svc/v1/trips?include=3&include=5');
});

test('a refusal has the sentences of each field and the rest of its data', async () => {
  answers([
    422,
    {
      code: 'svc_validation_error',
      message: 'Some fields are wrong.',
      data: { errors: { email: 'This is no e-mail address.', name: ['A.', 'B.'] }, row_version: 4 },
    },
  ]);
  const error = await api.post('/customers', null, {}).catch((one) => one);
  assert(error instanceof ApiError);
  assert.deepEqual([error.status, error.code], [422, 'svc_validation_error']);
  assert.deepEqual(error.fields, { email: ['This is no e-mail address.'], name: ['A.', 'B.'] });
  assert.equal(error.data.row_version, 4);
});

test('an answer that is no JSON, and none at all, are said in words', async () => {
  globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  assert.equal((await api.get('/trips').catch((one) => one)).message, 'The server answered 502.');
  answers(new TypeError('fetch failed'));
  const error = await api.get('/trips').catch((one) => one);
  assert.deepEqual([error.status, error.code], [0, 'no_answer']);
  assert.equal(pending.value, 0);
});

test('too many calls: the sentence says when to try again', async () => {
  answers([429, { code: 'svc_too_many_requests', message: 'Too many requests.' }, { 'Retry-After': '30' }]);
  assert.match((await api.get('/trips').catch((one) => one)).message, /Too many requests\. Try again in 30 seconds\.$/);
});

test('a write is sent again after signing in, with the same key', { timeout: 20_000 }, async () => {
  answers([401, { code: 'svc_unauthorized', message: 'Sign in.' }], [200, { data: { id: 1 }, meta: {} }]);
  const written = api.put('/trips/{id}', { id: 1 }, { title: 'A' });
  while (!signInWanted.value.length) await new Promise((done) => setTimeout(done, 1));
  settleSignIn(true);
  assert.deepEqual(await written, { id: 1 });
  assert.equal(calls.length, 2);
  assert(calls[0].headers['Idempotency-Key']);
  assert.equal(calls[0].headers['Idempotency-Key'], calls[1].headers['Idempotency-Key']);
});

test('a call whose sign-in was given up, and a quiet one, fail with 401', { timeout: 20_000 }, async () => {
  answers([401, { message: 'Sign in.' }]);
  const given_up = send('get', '/trips').catch((one) => one);
  while (!signInWanted.value.length) await new Promise((done) => setTimeout(done, 1));
  settleSignIn(false);
  assert.equal((await given_up).status, 401);
  answers([401, { message: 'Sign in.' }]);
  assert.equal((await send('get', '/auth/me', { quiet: true }).catch((one) => one)).status, 401);
  assert.equal(signInWanted.value.length, 0);
});

test('a read has no key, and every write has its own', async () => {
  answers([200, { data: [], meta: {} }], [200, { data: {}, meta: {} }], [200, { data: {}, meta: {} }]);
  await api.get('/trips');
  await api.post('/trips', null, {});
  await api.post('/trips', null, {});
  const keys = calls.map((one) => one.headers['Idempotency-Key']);
  assert.equal(keys[0], undefined);
  assert.notEqual(keys[1], keys[2]);
});
