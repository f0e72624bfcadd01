// Asks our gateways and the providers' own code the same questions; ends with 1 when they differ.
import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import Stripe from 'stripe'

const require = createRequire(import.meta.url)
const razorpay = require('razorpay/dist/utils/razorpay-utils')
const port = 4909, listening = 4910
const ours = spawn(process.argv[2], [`127.0.0.1:${port}`], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = []
createInterface({ input: ours.stdout }).on('line', line => waiting.shift()(JSON.parse(line)))
const ask = question => new Promise(done => { waiting.push(done); ours.stdin.write(JSON.stringify(question) + '\n') })

let compared = 0, different = 0
const same = (what, ourAnswer, theirs, more) => {
  compared += 1
  if (ourAnswer === theirs) return
  different += 1
  console.log(`${what}: ours ${ourAnswer}, theirs ${theirs}`, more ?? '')
}

// The SDK's own check, with its tolerance of 300 seconds, on the clock we give ours.
const stripe = new Stripe('sk_test_1')
const accepts = (body, header, secret, now) => {
  try {
    stripe.webhooks.signature.verifyHeader(body, header, secret, 300, undefined, now * 1000)
    return true
  } catch { return false }
}
for (let i = 0; i < 500; i += 1) {
  const now = 1700000000 + i, secret = 'whsec_' + randomBytes(12).toString('hex')
  const body = JSON.stringify({ id: 'evt_' + i, object: 'event', text: randomBytes(i).toString('base64') + 'é東' })
  const header = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: now })
  const cases = {
    'as it is': [body, header, secret, now],
    'another secret': [body, header, secret + 'x', now],
    'a body with a blank more': [body + ' ', header, secret, now],
    'a digest altered': [body, header.slice(0, -1) + (header.endsWith('0') ? '1' : '0'), secret, now],
    'after an older one': [body, header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`), secret, now],
    'too old': [body, header, secret, now + 301],
    'just in time': [body, header, secret, now + 300],
    'no signature': [body, `t=${now}`, secret, now],
    'another time': [body, header.replace(`t=${now}`, `t=${now + 1}`), secret, now]
  }
  for (const [name, [text, signature, key, at]] of Object.entries(cases)) {
    const { ok } = await ask({ ask: 'timed', header: signature, body: text, secrets: [key], now: at })
    same(`stripe, ${name}`, ok, accepts(text, signature, key, at), signature)
  }
}
for (let i = 0; i < 500; i += 1) {
  const secret = randomBytes(10).toString('hex'), body = JSON.stringify({ event: 'payment.captured', i })
  const right = createHmac('sha256', secret).update(body).digest('hex')
  for (const [text, signature] of [[body, right], [body + ' ', right], [body, right.replace(/.$/, c => c === '0' ? '1' : '0')]]) {
    const { ok } = await ask({ ask: 'plain', header: signature, body: text, secrets: [secret] })
    same('razorpay event', ok, razorpay.validateWebhookSignature(text, signature, secret))
  }
  const [order, payment] = ['order_' + i, 'pay_' + i]
  const proof = createHmac('sha256', secret).update(`${order}|${payment}`).digest('hex')
  for (const named of [payment, payment + '0']) {
    const { ok } = await ask({ ask: 'proves', order, payment: named, signature: proof, secret })
    same('razorpay payment', ok, razorpay.validatePaymentVerification({ order_id: order, payment_id: named }, proof, secret))
  }
}

// A Stripe on loopback: our calls over HTTP, its events signed by itself.
const { createEmulator } = await import('emulate')
const heard = []
const hook = createServer((request, answer) => {
  let body = ''
  request.setEncoding('utf8').on('data', part => { body += part }).on('end', () => {
    heard.push({ signature: request.headers['stripe-signature'], body })
    answer.end('{}')
  })
}).listen(listening, '127.0.0.1')
const emulator = await createEmulator({
  service: 'stripe', port,
  seed: { stripe: { webhooks: [{ url: `http://127.0.0.1:${listening}/`, events: ['*'], secret: 'whsec_emulated' }] } }
})
const situation = {
  config: { test_secret_key: 'sk_test_1', test_publishable_key: 'pk_test_1', webhook_secret: 'whsec_emulated' },
  sandbox: true, api_base: `http://127.0.0.1:${port}`, webhook_url: '', now: Date.now() * 1000
}
const amount = { minor: 12345, currency: 'EUR' }
const made = await ask({
  ask: 'intent', situation,
  wanted: { key: 'k-1', amount, booking_id: 7, booking_reference: 'SVC-1', description: 'Nile & Co', customer_name: 'Ada',
    customer_email: 'ada@example.org', return_url: '', cancel_url: '', save_method: false, gateway_customer: '' }
})
const theirs = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http' })
const seen = await theirs.paymentIntents.retrieve(made.answer.id)
same('the intent amount', 12345, seen.amount)
same('the intent currency', 'eur', seen.currency)
same('the intent booking', '7', seen.metadata.booking_id)
const inquiry = { key: 'k-1', intent_id: made.answer.id, transaction_id: '', amount, booking_id: 7, proof: {}, may_capture: true }
same('before it is paid', (await ask({ ask: 'confirm', situation, inquiry })).answer.progress, 'waiting')
await theirs.paymentIntents.confirm(made.answer.id, { payment_method: 'pm_card_visa' })
same('nobody pays an intent that does not exist',
  (await ask({ ask: 'confirm', situation, inquiry: { ...inquiry, intent_id: 'pi_none' } })).error, 'payment_error')
// This emulator tells no amount_received, without which nothing counts as paid.
same('a payment without an amount', (await ask({ ask: 'confirm', situation, inquiry })).error, 'svc_gateway_unavailable')
for (let i = 0; i < 100 && !heard.some(one => one.body.includes('payment_intent.succeeded')); i += 1)
  await new Promise(done => setTimeout(done, 50))
for (const { signature, body } of heard) {
  const now = Math.floor(Date.now() / 1000)
  const signed = secret => ask({ ask: 'timed', header: signature ?? '', body, secrets: [secret], now })
  same('an event signed by the emulator', (await signed('whsec_emulated')).ok, true, signature)
  same('the same by another secret', (await signed('whsec_other')).ok, false, signature)
  // Its events have no id, by which Stripe tells a repetition: without one an event is refused. With one it is read.
  const headers = text => [['Stripe-Signature', theirs.webhooks.generateTestHeaderString({ payload: text, secret: 'whsec_emulated' })]]
  const read = text => ask({ ask: 'webhook', situation: { ...situation, now: now * 1e6 }, headers: headers(text), body: text })
  const event = JSON.parse(body)
  if (!event.id) same('an event without an id', (await read(body)).error, 'svc_webhook_rejected')
  const whole = await read(JSON.stringify({ id: 'evt_1', ...event }))
  same('an event of theirs', whole.answer?.[0]?.type, event.type, whole)
  if (event.type === 'payment_intent.succeeded') same('its kind', whole.answer?.[0]?.kind, 'paid')
}
same('events of a paid intent arrived', heard.some(one => one.body.includes('payment_intent.succeeded')), true)
console.log(`compared ${compared}, different ${different}, events of the emulator ${heard.length}`)
await emulator.close()
hook.close()
ours.stdin.end()
process.exit(different ? 1 : 0)
