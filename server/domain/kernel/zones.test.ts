/** The server has one source of local time: no file may use another. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { loadZone } from '../merchants/load-zone';
import { dateIn, endOfDate, startOfDate } from './calendar';
import { fromLocal, toLocal } from './zones';

const database = sharedDatabase();

beforeAll(async () => {
  for (const zone of ['America/Vancouver', 'Europe/Chisinau', 'CET', 'Asia/Kolkata']) {
    await loadZone(database.db.pool, zone);
  }
});

/** What PostgreSQL 18.4 and Node 20.20.2 disagree on. */
describe('days are those of PostgreSQL', () => {
  test.each([
    ['America/Vancouver', '2026-12-01', '2026-12-01T07:00:00.000Z'],
    ['Europe/Chisinau', '2026-10-26', '2026-10-25T22:00:00.000Z'],
    ['CET', '2026-07-01', '2026-06-30T23:00:00.000Z'],
  ])('in %s, %s begins at %s', (timeZone, date, start) => {
    expect(startOfDate(date, { timeZone, dayStartsAt: 0 }).toISOString()).toBe(start);
    expect(dateIn({ timeZone, dayStartsAt: 0 }, new Date(start))).toBe(date);
    expect(dateIn({ timeZone, dayStartsAt: 0 }, new Date(Date.parse(start) - 1)) < date).toBe(true);
    expect(dateIn({ timeZone, dayStartsAt: 0 }, endOfDate(date, { timeZone, dayStartsAt: 0 }))).toBe(date);
  });
});

test('a zone is loaded before its days are counted', () => {
  expect(() => toLocal('Asia/Tokyo.', new Date())).toThrow('the time zone Asia/Tokyo. was not loaded');
});

test('local time before and after the known changes has the nearest offset', () => {
  for (const year of [1900, 1990, 2100, 2500]) {
    const local = new Date(Date.UTC(year, 5, 15, 12));
    expect(toLocal('Asia/Kolkata', fromLocal('Asia/Kolkata', local))).toEqual(local);
  }
});

/** Files that may compute local time, and why. */
const allowed = new Set([
  'server/domain/merchants/load-zone.ts', // for zones that this PostgreSQL does not know
  'server/domain/merchants/schemas.ts', // whether Node knows a zone
  'server/domain/reports/facts.ts', // SQL, from the same data
  'server/domain/customer-imports/date-cell.ts', // the order of day, month and year
  'app/sandbox-inbox/page.tsx', // of the server, for developers
]);

test('no other file of the server computes local time', () => {
  const files = execFileSync('git', ['ls-files', 'server', 'app', 'pages'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file) && !allowed.has(file));
  const second =
    /at time zone|@date-fns\/tz|(DateTimeFormat\(|toLocale(Date|Time)String\(|dateStyle|timeStyle)(?![^;]*timeZone: 'UTC')/i;
  expect(files.filter((file) => second.test(readFileSync(file, 'utf8')))).toEqual([]);
});
