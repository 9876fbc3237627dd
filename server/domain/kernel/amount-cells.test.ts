import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnNotation, type DecimalMark, readAmountCell } from './amount-cells';
import { minorDigits } from './money';

const kindOf = (currency: string | null) => ({ currency, digits: currency === null ? 0 : minorDigits(currency) });
/** Reads a column of a merchant's file, as the import does. */
function readColumn(country: string, currency: string | null, cells: string[]) {
  const kind = kindOf(currency);
  const notation = new ColumnNotation(kind);
  for (const cell of cells) notation.add(cell);
  const mark = notation.decimalMark(country);
  return cells.map((cell) => readAmountCell(cell, kind, mark));
}

test.each([
  ['SG', 'SGD', ['1.000', '12.345'], ['ambiguous', 'ambiguous']],
  ['SG', 'SGD', ['12.345', '0.5'], ['ambiguous', 50]],
  ['SG', 'SGD', ['1,000'], [100_000]],
  ['SG', 'SGD', ['1,000', '12.50'], [100_000, 1_250]],
  ['SG', 'SGD', ['1.000', '12,50'], [100_000, 1_250]],
  ['SG', 'SGD', ['1.000', '12.50'], ['ambiguous', 1_250]],
  ['SG', 'SGD', ['1.000', '0.250'], [100, 25]],
  ['SG', 'SGD', ['1.000', '12.50', '12,50'], ['ambiguous', 1_250, 1_250]],
  ['DE', 'EUR', ['1.000', '1.234,5'], [100_000, 123_450]],
  ['SG', null, ['2.000'], ['ambiguous']],
  ['SG', null, ['2,000', '350'], [2_000, 350]],
  ['DE', null, ['2.000'], [2_000]],
  ['VN', 'VND', ['50.000', '1.250.000'], [50_000, 1_250_000]],
  ['VN', 'VND', ['50.000'], [50_000]],
  ['ID', 'IDR', ['Rp 50.000'], [5_000_000]],
  ['TN', 'TND', ['12,500'], [12_500]],
  ['TN', 'TND', ['12.500'], ['ambiguous']],
  ['KW', 'KWD', ['12.500', '1,250.000'], [12_500, 1_250_000]],
  ['IN', 'INR', ['12,34,567.50', '1,250'], [123_456_750, 125_000]],
  ['CH', 'CHF', ["1'250.50", '1’250'], [125_050, 125_000]],
  ['FR', 'EUR', ['1 250,50 €', '1\u202f250'], [125_050, 125_000]],
  ['SG', 'SGD', ['S$12.5', 'SGD 0.50', '$3', '12.50 SGD', '１２.５０'], [1_250, 50, 300, 1_250, 1_250]],
  [
    'SG',
    'SGD',
    ['US$12.50', 'USD 1', '-5', '(5.00)', '12.499999999999998', '1.5E+03', '12.', '1,2,3', '1.234.56', ''],
    Array(10).fill(null),
  ],
  ['JP', 'JPY', ['1500', '15.5', '1,500円'], [1_500, null, null]],
])('in %s, a column of %s with %j is %j', (country, currency, cells, expected) => {
  expect(readColumn(country, currency, cells)).toEqual(expected);
});

test('what the merchant says decides', () => {
  const kind = kindOf('SGD');
  expect([readAmountCell('1.250', kind, '.'), readAmountCell('1.250', kind, ',')]).toEqual([125, 125_000]);
});

describe('a column of random amounts in one notation', () => {
  const notations: { group: string; mark: DecimalMark }[] = [
    { group: '', mark: '.' },
    { group: ',', mark: '.' },
    { group: "'", mark: '.' },
    { group: ' ', mark: '.' },
    { group: '', mark: ',' },
    { group: '.', mark: ',' },
    { group: '\u00a0', mark: ',' },
  ];
  const print = (units: number, digits: number, { group, mark }: (typeof notations)[number], isCut: boolean) => {
    const [whole = '', fraction = ''] = (units / 10 ** digits).toFixed(digits).split('.');
    const decimals = isCut ? fraction.replace(/0+$/, '') : fraction;
    return whole.replace(/\B(?=(\d{3})+$)/g, group) + (decimals && mark + decimals);
  };

  const marks: Record<string, DecimalMark> = { SG: '.', JP: '.', CH: '.', KW: '.', DE: ',', FR: ',', TN: ',', VN: ',' };

  test('comes in right or is refused, never wrong', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('SGD', 'JPY', 'TND', 'VND', null),
        fc.constantFrom(...Object.keys(marks)),
        fc.constantFrom(...notations),
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 5 }),
        (currency, country, notation, isCut, amounts) => {
          const { digits } = kindOf(currency);
          // `1,250` of 1,250 dinars, written without decimals in another country's notation: no rule can tell.
          if (digits === 3 && isCut) fc.pre(notation.mark === marks[country]);
          const cells = amounts.map((units) => print(units, digits, notation, isCut));
          const read = readColumn(country, currency, cells);
          for (const [at, amount] of read.entries()) {
            if (amount !== 'ambiguous' && amount !== null) expect([cells, amount]).toEqual([cells, amounts[at]]);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
