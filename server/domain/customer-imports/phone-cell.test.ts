import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { plainCell } from '../kernel/csv';
import { readPhoneCell } from './phone-cell';

const read = (country: string, cell: string) => readPhoneCell(plainCell(cell), country);

test.each([
  ['US', '4155552671.0', '+14155552671'],
  ['US', '(415) 555-2671', '+14155552671'],
  ['US', '14155552671', '+14155552671'],
  ['SG', '="91234567"', '+6591234567'],
  ['SG', "'91234567", '+6591234567'],
  ['SG', "'+6591234567", '+6591234567'],
  ['SG', '006591234567', '+6591234567'],
  ['SG', '6.591234567E+09', '+6591234567'],
  ['SG', 'tel:+65-9123-4567', '+6591234567'],
  ['SG', '８１２３４５６７', '+6581234567'],
  ['DE', '030/12345678', '+493012345678'],
  ['FR', '06.12.34.56.78', '+33612345678'],
])('in %s, %s is %s', (country, cell, phone) => {
  expect(read(country, cell)).toEqual({ phone });
});

test.each([
  ['SG', '6.5912349E+09', 'phoneDigitsLost'],
  ['SG', '6.59E+09', 'phoneDigitsLost'],
  ['US', '4155552671.5', 'phoneDigitsLost'],
  ['DE', '+49 30 1234567 ext. 12', 'phoneExtension'],
  ['US', '415-555-2671 x12', 'phoneExtension'],
  ['CN', '010-12345678 转分机 12', 'phoneExtension'],
  ['SG', '91234567 / 81234567', 'phonesSeveral'],
  ['SG', '91234567 81234567', 'phonesSeveral'],
  ['SG', '91234567\n81234567', 'phonesSeveral'],
  ['SG', '+65 9123 4567 or +65 8123 4567', 'phonesSeveral'],
  ['SG', '91234567 (Amy)', 'phoneExtra'],
  ['SG', 'HP: 91234567', 'phoneExtra'],
  ['SG', '9123456', 'phoneInvalid'],
  ['US', '41555526711', 'phoneInvalid'],
  ['SG', 'none', 'phoneInvalid'],
])('in %s, %s is refused: %s', (country, cell, problem) => {
  expect(read(country, cell)).toEqual({ problem });
});

const phones = getCountries().flatMap((country) => {
  const number = getExampleNumber(country, examples);
  return number?.isValid() ? { country, number } : [];
});

/** What hands, address books and spreadsheets do to a number. */
const damages: ((written: string) => string)[] = [
  (text) => text,
  (text) => `${text}.0`,
  (text) => `="${text}"`,
  (text) => `'${text}`,
  (text) => `\u202a${text}\u202c`,
  (text) => text.replaceAll(' ', '\u00a0'),
  (text) => `${text} ext. 12`,
  (text) => `${text} x5`,
  (text) => `${text} / ${text}`,
  (text) => `${text} (home)`,
  (text) => (/^[1-9]\d*$/.test(text) ? Number(text).toExponential() : text),
  (text) => (/^[1-9]\d*$/.test(text) ? Number(text).toExponential(5) : text),
  (text) => `${text}.5`,
];

test('a random number through each notation and damage comes in right or is refused, never as another', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...phones),
      fc.array(fc.constantFrom(...damages), { maxLength: 2 }),
      fc.nat(4),
      (phone, done, form) => {
        const { country, number } = phone;
        const written =
          [
            number.number,
            number.formatInternational(),
            number.formatNational(),
            number.nationalNumber,
            number.number.replace('+', '00'),
          ][form] ?? '';
        const cell = done.reduce((text, damage) => damage(text), written);
        const result = read(country, cell);
        if ('phone' in result) expect([cell, result.phone]).toEqual([cell, number.number]);
        else expect(result.problem).toMatch(/^phone/);
      },
    ),
    { numRuns: 3_000 },
  );
});
