#!/usr/bin/env bash
# luxon 3.7.2 reads one and the same local time as two instants, an hour apart, depending on the season in which it runs.
#
# In the night when the clocks go back, an hour comes twice. luxon begins its search with the offset that the zone has now (at
# the time of the call), so 01:30 of 2026-11-01 in New York is the first one for a program that runs in July, and the second
# for one that runs in December. The offset of a receipt that is read from a till's file depends on when the import is run; an
# import that is repeated finds other times, and a test of it is green for half a year. `plus({ days: 1 })` does not depend on it.
# Ask a till for times with offsets.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund luxon@3.7.2 >/dev/null
cat > read.mjs <<'JS'
import { DateTime, Settings } from 'luxon';
for (const today of ['2026-07-01', '2026-12-01'])
  for (const [time, zone] of [['2026-11-01T01:30', 'America/New_York'], ['2026-10-25T01:30', 'Europe/London'], ['2026-04-05T01:45', 'Australia/Lord_Howe']]) {
    Settings.now = () => Date.parse(today);
    console.log(`on ${today}, ${time} in ${zone} is ${DateTime.fromISO(time, { zone }).toUTC().toISO({ suppressSeconds: true, suppressMilliseconds: true })}`);
  }
JS
output=$(TZ=UTC node read.mjs)
printf '%s\n' "$output"
expected='on 2026-07-01, 2026-11-01T01:30 in America/New_York is 2026-11-01T05:30Z
on 2026-07-01, 2026-10-25T01:30 in Europe/London is 2026-10-25T00:30Z
on 2026-07-01, 2026-04-05T01:45 in Australia/Lord_Howe is 2026-04-04T15:15Z
on 2026-12-01, 2026-11-01T01:30 in America/New_York is 2026-11-01T06:30Z
on 2026-12-01, 2026-10-25T01:30 in Europe/London is 2026-10-25T01:30Z
on 2026-12-01, 2026-04-05T01:45 in Australia/Lord_Howe is 2026-04-04T14:45Z'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
