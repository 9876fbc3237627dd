#!/usr/bin/env bash
# pdfkit 0.20.2 writes ₹500 as ¹500 with its standard fonts, and other money as other text, without an error or a warning.
#
# Helvetica and the other standard fonts know Windows-1252 only. pdfkit keeps the low byte of a character that is not in it:
# U+20B9, the rupee sign, becomes B9, a raised 1 (₹500 reads as 1500); U+20B1, the peso sign, becomes ±; the narrow space that
# Intl puts into French thousands gets a slash after it, and ￥, as Intl writes yen in Japanese, becomes ÿå. pdf-lib 1.17.1
# throws for each. Receipts that are right in SGD and EUR are wrong in INR: embed a font that has the signs, and read the text
# back in a test.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pdfkit@0.20.2 pdf-lib@1.17.1 pdfjs-dist@4.10.38 >/dev/null
cat > write-and-read.mjs <<'JS'
import PDFKit from 'pdfkit';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

async function byPdfkit(text) {
  const document = new PDFKit();
  document.font('Helvetica').text(text).end();
  const parts = [];
  for await (const part of document) parts.push(part);
  const pdf = await getDocument({ data: new Uint8Array(Buffer.concat(parts)), verbosity: 0 }).promise;
  const { items } = await (await pdf.getPage(1)).getTextContent();
  return items.map(({ str }) => str).join('');
}

async function byPdfLib(text) {
  const document = await PDFDocument.create();
  document.addPage().drawText(text, { font: await document.embedFont(StandardFonts.Helvetica) });
}

for (const text of ['$500.00', '€500.00', '₹500.00', '₱500.00', '￥500', '1\u202f234']) {
  const refused = await byPdfLib(text).then(() => 'takes it', () => 'throws');
  console.log(`${JSON.stringify(text)}: ${JSON.stringify(await byPdfkit(text))}, pdf-lib ${refused}`);
}
JS
output=$(node write-and-read.mjs 2>/dev/null)
printf '%s\n' "$output"
expected='"$500.00": "$500.00", pdf-lib takes it
"€500.00": "€500.00", pdf-lib takes it
"₹500.00": "¹500.00", pdf-lib throws
"₱500.00": "±500.00", pdf-lib throws
"￥500": "ÿå500", pdf-lib throws
"1 234": "1 /234", pdf-lib throws'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
