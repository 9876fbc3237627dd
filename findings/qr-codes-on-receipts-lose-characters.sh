#!/usr/bin/env bash
# Two ESC/POS libraries spoil a QR code when its text has one character outside ASCII, in two ways, and report nothing.
#
# `GS ( k` says first how many bytes follow.
# - node-thermal-printer 4.6.1 counts characters and sends UTF-8. The code ends one byte early for é and two for 桌: its link is
#   another one, and the bytes that are left over are text or commands for the printer.
# - @point-of-sale/receipt-printer-encoder 4.0.1 counts rightly, but writes é in Latin-1, and for 桌 a question mark, which in
#   a link begins the query.
# Escape a link (encodeURI) before it goes to either. Another text, a table's name for one, cannot be printed as a code so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-thermal-printer@4.6.1 @point-of-sale/receipt-printer-encoder@4.0.1 >/dev/null
cat > print.mjs <<'JS'
import thermal from 'node-thermal-printer';
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';

/** Returns what a printer stores: the bytes of function 80 (`1P0`), as many as the command says, and what comes after them. */
function stored(bytes) {
  const at = bytes.indexOf(Buffer.from('1P0')) - 2;
  const end = at + 2 + bytes.readUInt16LE(at);
  const next = bytes.indexOf(Buffer.from([0x1d]), at + 2);
  const text = [...bytes.subarray(at + 5, end)].map((byte) => (byte < 128 ? String.fromCharCode(byte) : `<${byte.toString(16)}>`));
  return `${text.join('')}, ${next - end} bytes left over`;
}

for (const text of ['https://a.example/t/cafe', 'https://a.example/t/café', 'https://a.example/t/桌8']) {
  const printer = new thermal.printer({ type: thermal.types.EPSON, interface: 'tcp://127.0.0.1' });
  printer.printQR(text);
  console.log(`${text} by node-thermal-printer: ${stored(printer.getBuffer())}`);
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos' });
  console.log(`${text} by receipt-printer-encoder: ${stored(Buffer.from(encoder.qrcode(text).encode()))}`);
}
JS
output=$(node print.mjs)
printf '%s\n' "$output"
expected='https://a.example/t/cafe by node-thermal-printer: https://a.example/t/cafe, 0 bytes left over
https://a.example/t/cafe by receipt-printer-encoder: https://a.example/t/cafe, 0 bytes left over
https://a.example/t/café by node-thermal-printer: https://a.example/t/caf<c3>, 1 bytes left over
https://a.example/t/café by receipt-printer-encoder: https://a.example/t/caf<e9>, 0 bytes left over
https://a.example/t/桌8 by node-thermal-printer: https://a.example/t/<e6><a1>, 2 bytes left over
https://a.example/t/桌8 by receipt-printer-encoder: https://a.example/t/?8, 0 bytes left over'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
