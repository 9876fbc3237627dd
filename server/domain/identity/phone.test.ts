import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { toE164 } from './phone';

test.each([
  ['+6591234567', 'SG', '+6591234567'],
  ['91234567', 'SG', '+6591234567'],
  ['9123 4567', 'SG', '+6591234567'],
  ['9123-4567', 'SG', '+6591234567'],
  ['+65 9123-4567', 'JP', '+6591234567'],
  ['090-1234-5678', 'JP', '+819012345678'],
  ['+81 90 1234 5678', 'SG', '+819012345678'],
  ['+44 20 8366 1177', 'SG', '+442083661177'],
  ['020 8366 1177', 'GB', '+442083661177'],
  ['+600123456789', 'MY', '+60123456789'],
  ['+60 (0)12-345 6789', 'MY', '+60123456789'],
  [' +6591234567 ', 'SG', '+6591234567'],
  ['\u202a+65 9123 4567\u202c', 'SG', '+6591234567'],
  ['+65\u200b9123\u20604567\ufeff', 'SG', '+6591234567'],
  ['0081 90 1234 5678', 'MY', '+819012345678'],
  ['010 65 9123 4567', 'JP', '+6591234567'],
  ['+52 1 55 1234 5678', 'MX', '+525512345678'],
  ['+52 55 1234 5678', 'SG', '+525512345678'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['044 55 1234 5678', 'MX', '+525512345678'],
  ['+54 11 2345 6789', 'AR', '+5491123456789'],
  ['+54 9 11 2345 6789', 'SG', '+5491123456789'],
  ['011 15 2345-6789', 'AR', '+5491123456789'],
])('%s in %s is %s', (written, country, expected) => {
  expect(toE164(written, country)).toBe(expected);
  expect(toE164(written, country, { strict: true })).toBe(expected);
});

test.each([
  '',
  '+',
  '12',
  'abc',
  '+65',
  '9123 4567 ext. 5',
  '+6591234567;ext=5',
  'call 91234567 now',
  '+31000000 0',
  '91234567, 81234567',
])('%j is not a phone number', (written) => {
  expect(toE164(written, 'SG')).toBeNull();
  expect(toE164(written, 'SG', { strict: true })).toBeNull();
});

// In countries that do not dial 00 abroad, `0081…` would be another number, or none.
test.each(['JP', 'SG', 'US', 'KR'])('0081 90 1234 5678 in %s is not a phone number', (country) => {
  expect(toE164('0081 90 1234 5678', country)).toBeNull();
  expect(toE164('0081 90 1234 5678', country, { strict: true })).toBeNull();
});

describe('strict, as for enrolment', () => {
  test.each(['+6511111111', '+10000000', '+999123456789', '+6591234567890'])(
    'refuses %s, which is not a possible number',
    (number) => {
      expect(toE164(number, 'SG', { strict: true })).toBeNull();
    },
  );

  test('a look-up accepts a well-formed number: it just finds no one', () => {
    expect(toE164('+6511111111', 'SG')).toBe('+6511111111');
  });
});

test('parsing a parsed number returns the same', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[+]?[0-9 -]{4,18}$/),
      fc.constantFrom('SG', 'JP', 'MY', 'US'),
      (written, country) => {
        const number = toE164(written, country);
        if (number === null) return;
        expect(number).toMatch(/^\+[1-9][0-9]{3,14}$/);
        expect(toE164(number, country)).toBe(number);
        expect(toE164(number, 'GB')).toBe(number);
      },
    ),
    { numRuns: 1_000, examples: [['+31000000 0', 'SG']] },
  );
});

/** Ways to write a number, with its country's code or its own leading zero. */
const spellings = (national: string, code: string) => [
  `+${code}${national}`,
  `+${code}0${national}`,
  `+${code} 0${national}`,
  `+${code} (0)${national}`,
  `0${national}`,
  national,
];

test('enrolment and look-up read every notation of each country as the same number', () => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples);
    if (!example) continue;
    for (const written of spellings(example.nationalNumber, example.countryCallingCode)) {
      const enrolled = toE164(written, country, { strict: true });
      if (enrolled !== null) expect(toE164(written, country), `${written} in ${country}`).toBe(enrolled);
    }
  }
});

test('any text is parsed or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const number = toE164(text, 'SG');
      expect(number === null || /^\+[0-9]+$/.test(number)).toBe(true);
    }),
  );
});
