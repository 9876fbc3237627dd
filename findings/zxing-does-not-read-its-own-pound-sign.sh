#!/usr/bin/env bash
# A QR code of "£5" that zxing-wasm 3.1.6 writes is read as "｣5" by zxing-wasm itself, and as an empty text by jsQR 1.4.0.
#
# The writer picks the shortest charset, Latin-1 here, and does not say so in the symbol (no ECI). The reader guesses, and takes
# the byte A3 for a half-width bracket of Shift-JIS. jsQR takes bytes for UTF-8, and for others returns `data: ''` beside the
# right bytes: a scanner that tests for `null` only goes on with an empty code. Names of tables in German or French are hit,
# "桌号12" is not (it is written with ECI 26). Read `binaryData`, or write UTF-8 as qrcode 1.5.4 does; a code for many
# phones is best kept in ASCII.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund zxing-wasm@3.1.6 jsqr@1.4.0 qrcode@1.5.4 pngjs@7.0.0 >/dev/null
cat > scan.mjs <<'JS'
import { readFileSync } from 'node:fs';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import qrcode from 'qrcode';
import { prepareZXingModule, readBarcodes, writeBarcode } from 'zxing-wasm';
const wasm = new Uint8Array(readFileSync('node_modules/zxing-wasm/dist/full/zxing_full.wasm'));
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer } });

async function scan(png) {
  const { data, width, height } = PNG.sync.read(png);
  const [byZXing] = await readBarcodes(new Uint8Array(png));
  const byJsQR = jsQR(new Uint8ClampedArray(data), width, height);
  return `zxing ${JSON.stringify(byZXing.text)}, jsQR ${JSON.stringify(byJsQR.data)} (${byJsQR.binaryData.length} bytes)`;
}

for (const text of ['£5', 'Café 5', '桌号12']) {
  const { image } = await writeBarcode(text, { format: 'QRCode', scale: 6, addQuietZones: true });
  console.log(`${text} written by zxing: ${await scan(Buffer.from(await image.arrayBuffer()))}`);
  console.log(`${text} written by qrcode: ${await scan(await qrcode.toBuffer(text, { scale: 6 }))}`);
}
JS
output=$(node scan.mjs)
printf '%s\n' "$output"
expected='£5 written by zxing: zxing "｣5", jsQR "" (2 bytes)
£5 written by qrcode: zxing "£5", jsQR "£5" (3 bytes)
Café 5 written by zxing: zxing "Café 5", jsQR "" (6 bytes)
Café 5 written by qrcode: zxing "Café 5", jsQR "Café 5" (7 bytes)
桌号12 written by zxing: zxing "桌号12", jsQR "桌号12" (8 bytes)
桌号12 written by qrcode: zxing "桌号12", jsQR "桌号12" (8 bytes)'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
