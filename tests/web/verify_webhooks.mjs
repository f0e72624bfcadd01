// Verifies webhooks as a receiver would: a line of JSON per delivery on the standard input, with secret, headers and body.
// Prints how many are good, and the faults.
import { createInterface } from 'node:readline';

import { Webhook } from 'standardwebhooks';

let good = 0;
const faults = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, headers, body } = JSON.parse(line);
  try {
    new Webhook(secret).verify(Buffer.from(body, 'base64').toString(), headers);
    good += 1;
  } catch (error) {
    faults.push(`${headers['webhook-id']}: ${error.message}`);
  }
}
console.log(JSON.stringify({ good, faults }));
