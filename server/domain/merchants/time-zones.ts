import type { Database, Sql } from '@/db/client';

/** JavaScript's names of zones that are called otherwise now: newer systems' PostgreSQL knows only the new one. */
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

/** Those of the zones that this PostgreSQL knows. */
export async function knownTimeZones({ sql }: { sql: Database['sql'] | Sql }, zones: string[]): Promise<string[]> {
  const rows = await sql<{ zone: string }[]>`
    select zone from unnest(${zones}::text[]) zone where local_date(zone, now()) is not null`;
  return rows.map(({ zone }) => zone);
}

/** Every zone there is to choose once, by its present name where PostgreSQL knows that. */
export async function timeZoneChoices(db: Database): Promise<string[]> {
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
  const known = new Set(await knownTimeZones(db, [...zones, ...Object.values(renamed)]));
  return zones.flatMap((zone) => [renamed[zone] ?? zone, zone].find((name) => known.has(name)) ?? []);
}
