#!/usr/bin/env bash
# standardwebhooks 1.1.1 and svix 2.5.0 refuse every webhook whose headers come as the Headers of fetch.
#
# `verify(body, headers)` lists the own properties of what it gets. A `Headers` (what a route of Next.js, Hono, Deno or Bun
# hands over) and a `Map` have none, so the answer is "Missing required headers" though all three are there, whatever their
# case. The receiver says 400 to payments and orders until the sender gives up, and its log blames the sender. The bytes of
# `request.arrayBuffer()` are refused as well: only a string or a Buffer will do. Pass `Object.fromEntries(request.headers)` and
# `await request.text()`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund standardwebhooks@1.1.1 svix@2.5.0 >/dev/null
cat > receive.mjs <<'JS'
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
const secret = `whsec_${Buffer.alloc(24, 'finding').toString('base64')}`;
const [id, at, body] = ['msg_1', new Date(), '{"type":"order.placed"}'];
const headers = {
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Standard(secret).sign(id, at, body),
};
const request = () => new Request('http://a.example', { method: 'POST', headers, body });
const ways = {
  'an object and a text': async () => [await request().text(), headers],
  'request.headers': async () => [await request().text(), request().headers],
  'Object.fromEntries(request.headers)': async () => [await request().text(), Object.fromEntries(request().headers)],
  'request.arrayBuffer()': async () => [new Uint8Array(await request().arrayBuffer()), headers],
};
for (const [name, take] of Object.entries(ways))
  for (const [library, Webhook] of [['standardwebhooks', Standard], ['svix', Svix]]) {
    let seen;
    try {
      new Webhook(secret).verify(...(await take()));
      seen = 'verified';
    } catch ({ message }) {
      seen = message;
    }
    console.log(`${library}, ${name}: ${seen}`);
  }
JS
output=$(node receive.mjs)
printf '%s\n' "$output"
expected='standardwebhooks, an object and a text: verified
svix, an object and a text: verified
standardwebhooks, request.headers: Missing required headers
svix, request.headers: Missing required headers
standardwebhooks, Object.fromEntries(request.headers): verified
svix, Object.fromEntries(request.headers): verified
standardwebhooks, request.arrayBuffer(): Expected payload to be of type string or Buffer.
svix, request.arrayBuffer(): Expected payload to be of type string or Buffer.'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
