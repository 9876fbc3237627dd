#!/usr/bin/env bash
# paynowqr 1.1.2 makes PayNow codes whose fields are longer than EMVCo's format allows, or whose checksum is of other bytes.
#
# - An amount is written as JavaScript prints it: 4.10 three times is 12.299999999999999, 18 characters where field 54 has 13.
# - A name of 38 characters (field 59 has 25) and a bill number of 32 (field 62-01 has 25) go in whole.
# - "Café" is counted in characters, and its checksum is of Latin-1. A generator of QR codes writes UTF-8, so a bank that
#   computes the checksum of what it read finds another.
# Nothing throws. A guest's bank says only that the code is not valid. Give it money from minor units (`toFixed(2)`), cut both
# texts, and keep to ASCII.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund paynowqr@1.1.2 qrcode@1.5.4 >/dev/null
cat > pay.cjs <<'JS'
const PaynowQR = require('paynowqr');
const QRCode = require('qrcode');
const shop = { uen: '202012345A', editable: false, expiry: '20261231', company: 'Noodle House' };

/** Reads the fields of a payload: two digits of id, two of length, the value. */
function read(payload) {
  const fields = {};
  for (let rest = payload; rest; rest = rest.slice(4 + Number(rest.slice(2, 4)))) fields[rest.slice(0, 2)] = rest.slice(4, 4 + Number(rest.slice(2, 4)));
  return fields;
}

/** CRC-16 with the polynomial 1021 and FFFF first, as the format says. */
function checksum(bytes) {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const amount = read(new PaynowQR({ ...shop, amount: 4.1 * 3 }).output())['54'];
console.log(`amount: ${amount}, ${amount.length} characters of 13`);
const long = read(new PaynowQR({ ...shop, amount: 1, company: 'Golden Dragon Seafood Restaurant Group', refNumber: 'T1-20261128-0001-LUNCH-FOR-EIGHT' }).output());
console.log(`name: ${long['59'].length} characters of 25; bill number: ${read(long['62'])['01'].length} of 25`);
for (const company of ['Cafe', 'Café']) {
  const payload = new PaynowQR({ ...shop, amount: 1, company }).output();
  const inCode = Buffer.concat(QRCode.create(payload).segments.map(({ data }) => Buffer.from(data)));
  console.log(`${company}: checksum ${checksum(inCode.subarray(0, -4)) === payload.slice(-4) ? 'of the bytes in the code' : 'of other bytes than those in the code'}`);
}
JS
output=$(node pay.cjs)
printf '%s\n' "$output"
expected='amount: 12.299999999999999, 18 characters of 13
name: 38 characters of 25; bill number: 32 of 25
Cafe: checksum of the bytes in the code
Café: checksum of other bytes than those in the code'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
