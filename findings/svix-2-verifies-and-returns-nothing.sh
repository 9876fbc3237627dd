#!/usr/bin/env bash
# From svix 1.99.1 to 2.5.0, `verify` no longer returns the event: a receiver in JavaScript says 200 and does nothing.
#
# svix 1 returned the parsed body, and standardwebhooks 1.1.1, which svix uses inside, still does. svix 2 checks the same way and
# returns `undefined`. Code like `switch (verify(body, headers)?.type)` goes on without an error: each event is answered with
# 200, so the sender marks it as delivered, and the order is lost. Only TypeScript sees it. Parse the body yourself after `verify`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund svix1@npm:svix@1.99.1 svix2@npm:svix@2.5.0 standardwebhooks@1.1.1 >/dev/null
cat > receive.mjs <<'JS'
for (const library of ['svix1', 'svix2', 'standardwebhooks']) {
  const { Webhook } = await import(library);
  const webhook = new Webhook(`whsec_${Buffer.alloc(24, 'finding').toString('base64')}`);
  const [id, at, body] = ['msg_1', new Date(), '{"type":"order.placed"}'];
  const signature = webhook.sign(id, at, body);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature };
  console.log(`${library}: ${JSON.stringify(webhook.verify(body, headers))}`);
}
JS
output=$(node receive.mjs)
printf '%s\n' "$output"
expected='svix1: {"type":"order.placed"}
svix2: undefined
standardwebhooks: {"type":"order.placed"}'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
