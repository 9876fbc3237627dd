import { readFileSync } from 'node:fs';
import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { merchants } from '@/db/schema';
import { mostHolds } from '../domain/bills/pay';
import { delayMinutes } from '../domain/customer-imports/second-person';
import { mostLookUps } from '../domain/customers/look-ups';
import { undoDays } from '../domain/customers/undo-merge';
import { mostChanges } from '../domain/diners/redeem-on-bill';
import { ofNetwork } from '../domain/floor/start-ordering';
import { defaultLimits } from '../domain/merchants/default-limits';
import { codeRules, customerRules, dailyLimits, staffLimits, tillRules } from '../domain/merchants/schemas';

/** The settings that limit what is given or risked. One that is added to these schemas has to be in the table. */
const { balanceLimit, cashierRefundLimit, confirmAbove } = customerRules.shape;
const { codesPerHour, codesPerDay } = codeRules.shape;
const settings = Object.keys({
  ...dailyLimits.shape,
  ...staffLimits.shape,
  ...tillRules.shape,
  balanceLimit,
  cashierRefundLimit,
  confirmAbove,
  codesPerHour,
  codesPerDay,
});

/** What the table says of a new merchant's setting, whose currency is the US dollar. */
function atFirst(name: string): string {
  const column = getTableColumns(merchants)[name as keyof typeof merchants.$inferSelect];
  const value = (defaultLimits('USD') as Record<string, number>)[name] ?? column.default ?? null;
  if (value === null) return 'none';
  const isMoney = /Value|Limit|Above/.test(name);
  const number = (isMoney ? Number(value) / 100 : Number(value)).toLocaleString('en-US');
  return isMoney ? `${number} dollars` : /Points/.test(name) ? `${number} points` : number;
}

/** Limits that nobody can change, by the beginning of their row. */
const fixed: Record<string, number[]> = {
  'New holds on a table’s bill': [mostHolds.byGuest, mostHolds.byNetwork],
  'Redemptions and take-backs by a customer': [mostChanges],
  'Bills that a network’s guests start': [ofNetwork.attempts],
  'Customers that a cashier searches for': [mostLookUps],
  'Days in which an owner can undo a merge': [undoDays],
  'Hours that one person alone waits': [delayMinutes / 60],
};

const rows = readFileSync('docs/limits.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const namesIn = (cells: string[]) => Array.from(cells.at(-2)?.matchAll(/`(\w+)`/g) ?? [], ([, name = '']) => name);

test('docs/limits.md has every limit of a merchant once, and no other', () => {
  expect(
    rows
      .flatMap(namesIn)
      .filter((name) => !/^[A-Z_]+$/.test(name))
      .sort(),
  ).toEqual(settings.sort());
});

test.each(settings)('docs/limits.md says what %s is at first', (name) => {
  const row = rows.find((cells) => namesIn(cells).includes(name)) ?? [];
  const defaults = [...new Set(namesIn(row).map(atFirst))];
  expect(row[2]).toBe(defaults.join(', '));
});

test('docs/limits.md has the limits that nobody can change, with their numbers', () => {
  const found = rows.filter(([, , , who]) => who === 'nobody');
  expect(
    found.map(([, name = '']) => Object.keys(fixed).find((one) => name.replaceAll("'", '’').startsWith(one))),
  ).toEqual(Object.keys(fixed));
  expect(found.map(([, , number]) => number)).toEqual(Object.values(fixed).map((all) => all.join(', ')));
});
