import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { ColumnNotation } from '../kernel/amount-cells';
import { delimiterOf } from '../kernel/csv';
import { keepZone } from '../kernel/zones';
import { guessMapping } from './guess-mapping';
import { knownFiles } from './known-files';
import { amountKindOf, readRow, valuesOf } from './rows';
import { amountField, type DecimalMarks } from './schemas';

keepZone('Asia/Singapore', [{ from: 0, aheadMs: 8 * 3_600_000 }]);

const folder = join(import.meta.dirname, 'samples');
const none = { principal: 0, bonus: 0, points: 0 };

/** Reads a sample as the import does: what each row brings, and the columns that are left for the merchant to choose. */
function readSample(name: string, country: string, currency: string) {
  const text = readFileSync(join(folder, `${name}.csv`), 'utf8');
  const cells = parse(text, { delimiter: delimiterOf(text), relax_quotes: true, relax_column_count: true, trim: true });
  const [headings = [], ...rows] = cells as string[][];
  const merchant = { country, currency, balanceLimit: null, timeZone: 'Asia/Singapore', dayStartsAt: 0 };
  const { mapping, known, doubtful } = guessMapping(headings, rows, merchant);
  const decimalMarks: DecimalMarks = {};
  for (const field of amountField.options) {
    const column = mapping.columns[field];
    if (column === undefined) continue;
    const notation = new ColumnNotation(amountKindOf(field, currency));
    for (const row of rows) notation.add(row[column] ?? '');
    const mark = notation.decimalMark(country);
    if (mark !== null) decimalMarks[field] = mark;
  }
  const context = { dateOrder: mapping.dateOrder, decimalMarks, merchant, today: '2026-06-01', campaigns: new Map() };
  const people = rows.map((row) => {
    const { profile, opening, problems } = readRow(valuesOf(row, mapping), context);
    const { givenName, lastName, phone, email, birthday } = profile;
    const { principal = 0, bonus = 0, points = 0, expiresAt } = opening ?? {};
    const value = { principal, bonus, points };
    return [givenName, lastName, phone, email, birthday, value, expiresAt?.points ?? null, problems] as const;
  });
  return {
    people,
    looksLike: known === null ? null : knownFiles[known].name,
    doubtful: doubtful.map((column) => headings[column]),
  };
}

test.each([
  [
    'square',
    ['US', 'USD'],
    'Square',
    [
      ['Priya', 'Nair', '+14155550133', 'priya.nair@example.com', '1988-03-09', none, null, []],
      ['Tom', 'Okafor', '+14155550134', null, '--06-15', none, null, []],
    ],
    [],
  ],
  [
    'toast',
    ['US', 'USD'],
    'Toast',
    [
      [
        'Amy',
        'Tan',
        '+16176820225',
        'amy.tan@example.com',
        '1985-06-15',
        { ...none, principal: 1_250, points: 1_250 },
        null,
        [],
      ],
      ['Ben', 'Cho', '+16176820226', 'ben.cho@example.com', null, none, null, []],
    ],
    [],
  ],
  [
    'loyverse',
    ['MY', 'MYR'],
    'Loyverse',
    [
      ['Nurul Huda', '', '+60123456789', 'nurul@example.com', null, { ...none, points: 350 }, null, []],
      ['Lee Wei', '', '+60198765432', null, null, { ...none, points: 12 }, null, []],
    ],
    [],
  ],
  [
    'lightspeed',
    ['NZ', 'NZD'],
    'Lightspeed',
    [
      ['Olga', 'Ritter', '+6421555012', 'olga@example.com', '1979-11-30', { ...none, principal: 2_500 }, null, []],
      ['Sam', 'Poe', '+6421555013', null, null, none, null, []],
    ],
    ['enable_loyalty', 'loyalty_balance', 'account_balance'],
  ],
  [
    'shopify',
    ['SG', 'SGD'],
    'Shopify',
    [
      ['Mia', 'Lindqvist', '+6581234567', 'mia@example.com', null, none, null, []],
      ['Raj', 'Singh', null, 'raj@example.com', null, none, null, []],
    ],
    [],
  ],
  [
    'odoo',
    ['SG', 'SGD'],
    'Odoo',
    [
      ['Chan Siew Ling', '', '+6591234567', 'sl.chan@example.com', null, none, null, []],
      ['Ana Torres', '', '+6591234568', 'ana@example.com', null, none, null, []],
    ],
    ['Credit Limit'],
  ],
  [
    'mailchimp',
    ['US', 'USD'],
    'Mailchimp',
    [['Joy', 'Adeyemi', '+14155550142', 'joy@example.com', '--06-15', none, null, []]],
    [],
  ],
  [
    'google-contacts',
    ['JP', 'JPY'],
    'Google Contacts',
    [
      ['Kenji', 'Mori', '+819012345678', 'kenji@example.com', '1990-07-04', none, null, []],
      ['Aoi', 'Sato', null, null, '--02-29', none, null, ['phonesSeveral']],
    ],
    [],
  ],
  [
    'wallet-cards',
    ['IE', 'EUR'],
    null,
    [['Orla', 'Byrne', '+353851234567', 'orla@example.com', '1992-12-01', { ...none, principal: 750 }, null, []]],
    ['Stamp_Balance'],
  ],
  [
    'spreadsheet',
    ['DE', 'EUR'],
    null,
    [
      [
        ...['Hans Weber', '', '+4915123456789', 'hans@example.com', '1985-06-15'],
        ...[{ ...none, principal: 125_050, points: 2_000 }, new Date('2030-12-31T15:59:59.999Z'), []],
      ],
      [
        ...['Ute Klein', '', '+4915123456780', 'ute@example.com', '1961-02-01'],
        ...[{ ...none, principal: 1_200, points: 150 }, new Date('2030-12-31T15:59:59.999Z'), []],
      ],
    ],
    ['Credit Limit', 'Account Balance'],
  ],
] as const)('%s.csv comes in as it is meant', (name, [country, currency], looksLike, people, doubtful) => {
  expect(readSample(name, country, currency)).toEqual({ people, looksLike, doubtful });
});

test('every sample is read, and every known system has one', () => {
  const samples = readdirSync(folder).map((file) => file.replace('.csv', ''));
  expect(samples.length).toBe(10);
  const known = samples.flatMap((name) => readSample(name, 'SG', 'SGD').looksLike ?? []);
  expect(new Set(known)).toEqual(new Set(Object.values(knownFiles).map(({ name }) => name)));
});
