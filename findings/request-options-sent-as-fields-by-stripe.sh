#!/usr/bin/env bash
# From stripe 21.0.0 to 22.0.0, options in the place of the fields go out as fields, and the account and key are gone.
#
# Until 21, `del(id, { stripeAccount })` and `cancel(id, { idempotencyKey })` told options from fields by their names. From 22
# (seen to 23.1.0) the second argument is always the fields: a connected account's customer is asked of the platform's own
# account, and the cancellation goes out under a key made up for this call, so a program's own repeat is a new request. The
# types refuse this for `cancel`, but not where a call has no fields of its own, as `customers.del`: an empty type takes any
# object. The third argument, after `{}`, works in both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund before@npm:stripe@21.0.0 after@npm:stripe@22.0.0 latest@npm:stripe@23.1.0 \
  typescript@5.9.3 >/dev/null
cat > send.mjs <<'JS'
import { createServer } from 'node:http';
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    const { 'stripe-account': account = 'none', 'idempotency-key': key = 'none' } = request.headers;
    console.log(`  ${request.method} ${request.url} ${body || '(no body)'}, account ${account}, key ${key.replace(/retry-.*/, 'retry-...')}`);
    response.setHeader('content-type', 'application/json').end('{"id":"1"}');
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
for (const [version, name] of [['21.0.0', 'before'], ['22.0.0', 'after'], ['23.1.0', 'latest']]) {
  const { default: Stripe } = await import(name);
  console.log(`stripe ${version}`);
  const stripe = new Stripe('sk_test_none', { host: '127.0.0.1', port: server.address().port, protocol: 'http' });
  await stripe.customers.del('cus_1', { stripeAccount: 'acct_1' });
  await stripe.paymentIntents.cancel('pi_1', { idempotencyKey: 'order-7' });
}
server.closeAllConnections();
server.close();
JS
cat > types.mts <<'TS'
import Stripe from 'latest';
declare const stripe: Stripe;
await stripe.customers.del('cus_1', { stripeAccount: 'acct_1' });
await stripe.paymentIntents.cancel('pi_1', { idempotencyKey: 'order-7' });
TS
output=$(node send.mjs
  npx tsc --noEmit --strict --skipLibCheck --module nodenext --target es2022 types.mts | grep -o '^types.mts([0-9]*,[0-9]*): error TS[0-9]*' || true)
printf '%s\n' "$output"
expected='stripe 21.0.0
  DELETE /v1/customers/cus_1 (no body), account acct_1, key none
  POST /v1/payment_intents/pi_1/cancel (no body), account none, key order-7
stripe 22.0.0
  DELETE /v1/customers/cus_1?stripeAccount=acct_1 (no body), account none, key none
  POST /v1/payment_intents/pi_1/cancel idempotencyKey=order-7, account none, key stripe-node-retry-...
stripe 23.1.0
  DELETE /v1/customers/cus_1?stripeAccount=acct_1 (no body), account none, key none
  POST /v1/payment_intents/pi_1/cancel idempotencyKey=order-7, account none, key stripe-node-retry-...
types.mts(4,46): error TS2353'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
