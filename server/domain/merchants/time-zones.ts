import { isNotNull, sql } from 'drizzle-orm';
import type { Database } from '@/db/driver';
import { recordset } from '@/db/query/expressions';
import type { Queries } from '@/db/query/queries';
import { merchants } from '@/db/schema';

/** JavaScript's old names of renamed zones: PostgreSQL on newer systems knows only the new ones. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns the zones that this PostgreSQL knows. */
export async function knownTimeZones(db: Queries, zones: string[]): Promise<string[]> {
  const asked = recordset(
    'asked',
    { zone: merchants.timeZone },
    zones.map((zone) => ({ zone })),
  );
  const isKnown = isNotNull(sql`local_date(${asked.zone}, now())`);
  const rows = await db.select({ zone: asked.zone }).from(asked.$rows).where(isKnown);
  return rows.map(({ zone }) => zone);
}

/** Lists every zone once, by its current name if PostgreSQL knows it. */
export async function timeZoneChoices(db: Database): Promise<string[]> {
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
  const known = new Set(await knownTimeZones(db.pool, [...zones, ...Object.values(renamed)]));
  return zones.flatMap((zone) => [renamed[zone] ?? zone, zone].find((name) => known.has(name)) ?? []);
}
