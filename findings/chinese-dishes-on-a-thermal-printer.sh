#!/usr/bin/env bash
# node-thermal-printer 4.6.1 prints a Chinese dish in the code of a Japanese printer, and its price on the next line.
#
# - Without `characterSet`, a Han character is tried in EUC-JP first. "麻婆豆腐" becomes CB E3 C7 CC C6 A6 C9 E5, which a
#   printer for China (GB 18030) prints as 算翘痞慑.
# - `leftRight` and `tableCustom` fill up a line by counting characters. A Han character is two columns wide on paper, so on
#   32 columns this line takes 36, and the price falls to the left of the next line.
# - `println(0)` prints an empty line: a free dish has no price.
# Set the character set, and count columns yourself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-thermal-printer@4.6.1 iconv-lite@0.7.3 >/dev/null
cat > print.mjs <<'JS'
import iconv from 'iconv-lite';
import thermal from 'node-thermal-printer';

/** Returns what a printer for China prints: the text in GB 18030, without the commands that choose a character set. */
function printed(write, options = {}) {
  const printer = new thermal.printer({ type: thermal.types.EPSON, interface: 'tcp://127.0.0.1', width: 32, ...options });
  write(printer);
  const bytes = Buffer.from(printer.getBuffer().toString('latin1').replace(/\x1b[Rt]./gs, ''), 'latin1');
  return iconv.decode(bytes, 'gb18030').replace(/\n$/, '');
}

const columns = (line) => [...line].reduce((width, character) => width + (character > '\xff' ? 2 : 1), 0);
const china = { characterSet: thermal.characterSet.CHINA };
const cells = [{ text: '麻婆豆腐', align: 'LEFT', cols: 20 }, { text: '12.00', align: 'RIGHT', cols: 12 }];
console.log(`by default: ${printed((printer) => printer.println('麻婆豆腐'))}`);
console.log(`for China: ${printed((printer) => printer.println('麻婆豆腐'), china)}`);
console.log(`leftRight: ${columns(printed((printer) => printer.leftRight('麻婆豆腐', '12.00'), china))} columns of 32`);
console.log(`tableCustom: ${columns(printed((printer) => printer.tableCustom(cells), china))} columns of 32`);
console.log(`println(0): ${JSON.stringify(printed((printer) => printer.println(0)))}`);
JS
output=$(node print.mjs 2>/dev/null)
printf '%s\n' "$output"
expected='by default: 算翘痞慑
for China: 麻婆豆腐
leftRight: 36 columns of 32
tableCustom: 36 columns of 32
println(0): ""'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
