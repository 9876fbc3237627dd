#!/usr/bin/env bash
# libphonenumber-js 1.13.16 reads some numbers, as guests really write them, as another person's or as none.
#
# - A Japanese mobile number written with 00 is read in Singapore as a valid number of North America: 008 is one of
#   Singapore's prefixes for calls abroad, and what follows begins with 1.
# - In Japan, which dials 010, the same text is a possible number, +8100819012345678.
# - A Mexican mobile number in the form of before 2019 (+52 1 ...) is not possible. In today's form it is valid.
# - An Argentine mobile number is valid with and without the 9, and these are two different numbers.
# A look-up by phone has to settle each of these before it compares.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16 >/dev/null
cat > read.mjs <<'JS'
import { parsePhoneNumberWithError } from 'libphonenumber-js/max';
for (const [written, country] of [
  ['00819012345678', 'SG'], ['00819012345678', 'JP'],
  ['+52 1 55 1234 5678', 'MX'], ['+52 55 1234 5678', 'MX'],
  ['+54 9 11 2345 6789', 'AR'], ['+54 11 2345 6789', 'AR'],
]) {
  const read = parsePhoneNumberWithError(written, { defaultCountry: country, extract: false });
  console.log(`${written} in ${country}: ${read.number} possible ${read.isPossible()} valid ${read.isValid()}`);
}
JS
output=$(node read.mjs)
printf '%s\n' "$output"
expected='00819012345678 in SG: +19012345678 possible true valid true
00819012345678 in JP: +8100819012345678 possible true valid false
+52 1 55 1234 5678 in MX: +5215512345678 possible false valid false
+52 55 1234 5678 in MX: +525512345678 possible true valid true
+54 9 11 2345 6789 in AR: +5491123456789 possible true valid true
+54 11 2345 6789 in AR: +541123456789 possible true valid true'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
