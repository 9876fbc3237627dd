#!/usr/bin/env bash
# xlsx 0.18.5 reads a date cell as the day before in Singapore, Kuala Lumpur and Shanghai, and rightly in Tokyo and London.
#
# A workbook keeps a date as days since the end of 1899. With `cellDates: true` the library counts them from that day's local
# midnight, and uses that day's offset in whole minutes only. Singapore was at +06:55:25 in 1899, Shanghai at +08:05:43: the
# seconds are lost, and midnight becomes 23:59:35 or 23:59:17 of the day before. Birthdays and expiry dates of an import are one
# day early, only on the servers of some countries; a test that runs in UTC passes. Read the text of the cell, or its number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5 exceljs@4.4.0 >/dev/null 2>&1
cat > write.cjs <<'JS'
const { Workbook } = require('exceljs');
const workbook = new Workbook();
workbook.addWorksheet('guests').addRow([new Date(Date.UTC(1990, 1, 3))]);
workbook.xlsx.writeFile('guests.xlsx');
JS
cat > read.cjs <<'JS'
const { readFile, utils } = require('xlsx');
const { guests } = readFile('guests.xlsx', { cellDates: true }).Sheets;
const [[birthday]] = utils.sheet_to_json(guests, { header: 1 });
console.log(`${process.env.TZ}: ${birthday.toLocaleString('sv')}, as text ${utils.sheet_to_csv(guests).trim()}`);
JS
TZ=UTC node write.cjs
output=$(for zone in Asia/Singapore Asia/Kuala_Lumpur Asia/Shanghai Asia/Tokyo Europe/London; do TZ=$zone node read.cjs; done)
printf '%s\n' "$output"
expected='Asia/Singapore: 1990-02-02 23:59:35, as text 2/3/90
Asia/Kuala_Lumpur: 1990-02-02 23:59:35, as text 2/3/90
Asia/Shanghai: 1990-02-02 23:59:17, as text 2/3/90
Asia/Tokyo: 1990-02-03 00:00:00, as text 2/3/90
Europe/London: 1990-02-03 00:00:00, as text 2/3/90'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
