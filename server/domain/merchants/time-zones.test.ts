import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { say } from '../kernel/say';
import { loadZone } from './load-zone';
import { changeSettingsInput } from './schemas';
import { timeZoneChoices } from './time-zones';

const database = ownDatabase();

/** Hides these zones from the database while `work` runs. */
async function without(names: string[], work: () => Promise<void>): Promise<void> {
  const { owner } = database;
  const [known] = await owner`select prosrc from pg_proc where proname = 'local_date'`;
  const replace = (body: string) =>
    owner.unsafe(`create or replace function local_date(zone text, at timestamptz) returns date language plpgsql stable as
      $$ ${body} $$`);
  const list = names.map((name) => `'${name}'`).join();
  await replace(`begin return case when zone not in (${list}) then (at at time zone zone)::date end; end`);
  try {
    await work();
  } finally {
    await replace(known?.prosrc);
  }
}

test('every offered time zone can be selected, and means the same to the database', async () => {
  const timeZones = await timeZoneChoices(database.db);
  expect(timeZones.length).toBeGreaterThan(400);
  expect(new Set(timeZones).size).toBe(timeZones.length);
  const at = new Date('2026-07-01T12:00:00Z');
  const rows = await database.owner`
    select zone, to_char(${at} at time zone zone, 'YYYY-MM-DD HH24:MI:SS') as local from unnest(${timeZones}::text[]) zone`;
  const localOf = (timeZone: string) => at.toLocaleString('sv-SE', { timeZone });
  expect(rows.filter(({ zone, local }) => local !== localOf(zone))).toEqual([]);
  expect(timeZones.filter((zone) => !changeSettingsInput.safeParse({ timeZone: zone }).success)).toEqual([]);
});

test('zones are offered by their current name, by the old one if PostgreSQL knows only that, or not at all', async () => {
  const offered = async () =>
    (await timeZoneChoices(database.db)).filter((zone) => /Calcutta|Kolkata|Kiev|Kyiv|Tokyo/.test(zone)).sort();
  expect(await offered()).toEqual(['Asia/Kolkata', 'Asia/Tokyo', 'Europe/Kyiv']);
  await without(['Asia/Calcutta', 'Europe/Kyiv', 'Asia/Tokyo'], async () => {
    expect(await offered()).toEqual(['Asia/Kolkata', 'Europe/Kiev']);
  });
});

test('a zone is read once for requests that begin at the same moment, and in a process', async () => {
  const { pool } = database.db;
  const first = loadZone(pool, 'America/Lima');
  expect(loadZone(pool, 'America/Lima')).toBe(first);
  await first;
  expect(loadZone(pool, 'America/Lima')).toBeUndefined();
});

test('a zone unknown to PostgreSQL is refused; one selected earlier is kept on other changes', async () => {
  const merchant = await createMerchant(database.owner, { time_zone: 'Asia/Saigon' });
  const owner = callAs(await createStaff(database.owner, testServices(database.db), merchant.id));
  await without(['Asia/Calcutta', 'Asia/Saigon'], async () => {
    await expect(owner.settings.change({ timeZone: 'Asia/Calcutta' })).rejects.toMatchObject({
      cause: {
        code: 'invalid_request',
        issues: [{ path: 'timeZone', sentence: say('notATimeZone') }],
      },
    });
    await owner.settings.change({ timeZone: 'Asia/Saigon', name: 'Renamed' });
  });
  const [saved] = await database.owner`select name, time_zone from merchants where id = ${merchant.id}`;
  expect(saved).toEqual({ name: 'Renamed', time_zone: 'Asia/Saigon' });
});
