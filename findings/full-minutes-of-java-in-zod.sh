#!/usr/bin/env bash
# zod 4.6.7: `z.iso.datetime({ offset: true })` refuses one time in sixty of a till that is written in Java, and lower case.
#
# Java's OffsetDateTime.toString() leaves out the seconds, and the nanoseconds, where they are zero: 2026-11-27T10:00+08:00.
# So such a till's requests pass in every test and fail in the first second of a minute. RFC 3339 (section 5.6) allows `t` and
# `z` in lower case, and second 60; zod refuses these too. An API that takes times of tills has to normalize them first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund zod@4.6.7 >/dev/null
cat > times.mjs <<'JS'
import { z } from 'zod';
const time = z.iso.datetime({ offset: true });
for (const written of ['2026-11-27T10:00:01+08:00', '2026-11-27T10:00+08:00', '2026-11-27t10:00:01z', '2026-12-31T23:59:60Z'])
  console.log(`${written}: ${time.safeParse(written).success}`);
JS
output=$(node times.mjs)
printf '%s\n' "$output"
expected='2026-11-27T10:00:01+08:00: true
2026-11-27T10:00+08:00: false
2026-11-27t10:00:01z: false
2026-12-31T23:59:60Z: false'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
