#!/usr/bin/env bash
# exceljs 4.4.0 writes a menu's bold word into CSV as JSON, a formula's error as [object Object], and reads PLU 1E5 as 100000.
#
# A cell of which one word is bold holds rich text. `csv.writeBuffer` puts its JSON there, `{"richText":[...]}`, where Excel and
# LibreOffice write the words; of a link it writes the address, and not the text. `csv.read` makes numbers of what looks like one: a PLU
# of 0012 is 12, 1E5 is 100000, and a phone number loses its +. So a dish goes to the till under a name of JSON and another
# dish's number. Take `cell.text` of each cell, and give `csv.read` a `map` that leaves texts alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund exceljs@4.4.0 >/dev/null 2>&1
cat > menu.mjs <<'JS'
import { Readable } from 'node:stream';
import ExcelJS from 'exceljs';
const workbook = new ExcelJS.Workbook();
const sheet = workbook.addWorksheet('menu');
sheet.addRow(['0012', { richText: [{ text: 'Laksa ' }, { text: 'NEW', font: { bold: true } }] }]);
sheet.addRow(['1E5', { text: 'Set lunch', hyperlink: 'https://a.example/lunch' }]);
sheet.addRow(['+6591234567', { formula: '1/0', result: { error: '#DIV/0!' } }]);
console.log(`as texts: ${[1, 2].map((row) => sheet.getCell(row, 2).text).join(', ')}`);
console.log(String(await workbook.csv.writeBuffer()));
const texts = await new ExcelJS.Workbook().csv.read(Readable.from(['0012,Laksa\n1E5,Set lunch\n+6591234567,Guest\n']));
console.log(`read: ${texts.getColumn(1).values.slice(1).map((value) => `${value} (${typeof value})`).join(', ')}`);
JS
output=$(node menu.mjs)
printf '%s\n' "$output"
expected='as texts: Laksa NEW, Set lunch
0012,"{""richText"":[{""text"":""Laksa ""},{""text"":""NEW"",""font"":{""bold"":true}}]}"
1E5,https://a.example/lunch
+6591234567,[object Object]
read: 12 (number), 100000 (number), 6591234567 (number)'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
