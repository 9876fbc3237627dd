import { tzOffset } from '@date-fns/tz';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { Merchant } from '../kernel/context';
import { loadZone } from '../merchants/load-zone';
import { afterQuietHours, isQuiet } from './quiet-hours';

const hourMs = 3_600_000;
type Quiet = Pick<Merchant, 'quietHours' | 'timeZone'>;

const zones = [
  'Pacific/Pago_Pago',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'UTC',
  'Europe/Berlin',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Singapore',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
];
const database = sharedDatabase();

beforeAll(async () => {
  for (const zone of zones) await loadZone(database.db.pool, zone);
});

const timeOfDay = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minute) => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'));
const merchants: fc.Arbitrary<Quiet> = fc
  .tuple(fc.constantFrom(...zones), timeOfDay, timeOfDay)
  .filter(([, from, until]) => from !== until)
  .map(([timeZone, from, until]) => ({ timeZone, quietHours: { from, until } }));
const instants = fc
  .integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') })
  .map((time) => new Date(time));
/** Within two days of a clock change somewhere. */
const aroundChanges = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-04-24', '2026-09-06', '2026-10-25', '2026-11-01'),
    fc.integer({ min: -24 * hourMs, max: 48 * hourMs }),
  )
  .map(([day, offset]) => new Date(Date.parse(day) + offset));

test('what is due in quiet hours waits for their end, and no longer, whatever the clocks do', () => {
  fc.assert(
    fc.property(merchants, fc.oneof(instants, aroundChanges), (merchant, at) => {
      const sent = afterQuietHours(merchant, at);
      expect(isQuiet(merchant, sent)).toBe(false);
      if (!isQuiet(merchant, at)) {
        expect(sent).toEqual(at);
        return;
      }
      expect(sent.getTime()).toBeGreaterThan(at.getTime());
      // At most a day, or two if clocks skip the few minutes outside of quiet hours.
      expect(sent.getTime() - at.getTime()).toBeLessThanOrEqual(49 * hourMs);
      const doesClockChange = tzOffset(merchant.timeZone, at) !== tzOffset(merchant.timeZone, sent);
      const quietUntil = sent.getTime() - (doesClockChange ? hourMs : 0);
      for (let time = at.getTime(); time < quietUntil; time += 13 * 60_000) {
        expect(isQuiet(merchant, new Date(time))).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

describe('examples', () => {
  const night = { from: '21:00', until: '09:00' };
  test.each([
    ['Asia/Singapore', night, '2026-11-20T12:59:59Z', '2026-11-20T12:59:59Z'],
    ['Asia/Singapore', night, '2026-11-20T13:00:00Z', '2026-11-21T01:00:00Z'],
    ['Asia/Singapore', night, '2026-11-21T00:59:59.999Z', '2026-11-21T01:00:00Z'],
    ['Asia/Singapore', night, '2026-11-21T01:00:00Z', '2026-11-21T01:00:00Z'],
    // A night of eleven hours, and one of thirteen.
    ['America/New_York', night, '2026-03-08T02:30:00Z', '2026-03-08T13:00:00Z'],
    ['America/New_York', night, '2026-11-01T01:30:00Z', '2026-11-01T14:00:00Z'],
    // Half past two does not occur, and half past one occurs twice.
    ['America/New_York', { from: '22:00', until: '02:30' }, '2026-03-08T05:00:00Z', '2026-03-08T07:00:00Z'],
    ['America/New_York', { from: '22:00', until: '01:30' }, '2026-11-01T04:00:00Z', '2026-11-01T05:30:00Z'],
    // In Santiago, clocks went from midnight to one, which skipped all or a part of the time outside of quiet hours.
    ['America/Santiago', { from: '00:01', until: '00:00' }, '2026-09-06T00:00:00Z', '2026-09-07T03:00:00Z'],
    ['America/Santiago', { from: '01:08', until: '00:08' }, '2026-09-06T00:00:00Z', '2026-09-06T04:00:00Z'],
    // Over noon.
    ['Europe/Berlin', { from: '12:00', until: '15:00' }, '2026-07-01T11:00:00Z', '2026-07-01T13:00:00Z'],
  ])('%s, %o: at %s sent at %s', (timeZone, quietHours, at, sent) => {
    expect(afterQuietHours({ timeZone, quietHours }, new Date(at))).toEqual(new Date(sent));
  });

  test('without quiet hours it is sent at once', () => {
    const at = new Date('2026-11-20T20:00:00Z');
    expect(afterQuietHours({ timeZone: 'Asia/Singapore', quietHours: null }, at)).toEqual(at);
  });
});
