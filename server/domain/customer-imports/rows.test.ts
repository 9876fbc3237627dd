import { describe, expect, test } from 'vitest';
import { keepZone } from '../kernel/zones';
import { guessMapping } from './guess-mapping';
import { readRow } from './rows';
import type { DateOrder } from './schemas';

keepZone('Asia/Singapore', [{ from: 0, aheadMs: 8 * 3_600_000 }]);

const merchant = { country: 'SG', currency: 'SGD', balanceLimit: 100_000, timeZone: 'Asia/Singapore', dayStartsAt: 0 };
const surroundings = {
  dateOrder: 'DMY' as DateOrder,
  decimalMarks: { principal: '.', bonus: '.', points: '.' } as const,
  merchant,
  today: '2026-06-01',
  campaigns: new Map([
    ['free coffee', { campaignId: 'coffee', expiresAt: null, validUntil: new Date('2026-12-31T15:59:59.999Z') }],
  ]),
};
const june = new Date('2026-06-30T15:59:59.999Z');
const never = { bonus: null, points: null };
/** Reads a row that is valid except for the given values. */
const read = (values: Parameters<typeof readRow>[0], rest: Partial<typeof surroundings> = {}) =>
  readRow({ givenName: 'Ada', email: 'ada@example.com', ...values }, { ...surroundings, ...rest });

describe('a birthday', () => {
  test.each([
    ['DMY', '1/2/1990', '1990-02-01'],
    ['DMY', '01.02.1990', '1990-02-01'],
    ['MDY', '1-2-1990', '1990-01-02'],
    ['YMD', '1990 2 1', '1990-02-01'],
    ['YMD', '2024-02-29', '2024-02-29'],
    ['YMD', '1900-01-01', '1900-01-01'],
    ['YMD', '2026-06-01', '2026-06-01'],
    ['DMY', '01/02/90', '1990-02-01'],
    ['DMY', '01/02/26', '2026-02-01'],
    ['MDY', '01/02/27', '1927-01-02'],
    ['DMY', '15-Jun-1985', '1985-06-15'],
    ['YMD', '15 June 1985', '1985-06-15'],
    ['DMY', 'Jun 15, 1985', '1985-06-15'],
    ['YMD', '1985年6月15日', '1985-06-15'],
    ['DMY', '15/06/1985 00:00', '1985-06-15'],
    ['YMD', '1985-06-15 13:05:00', '1985-06-15'],
    ['MDY', '6/15/1985 12:00:00 AM', '1985-06-15'],
    ['YMD', '1985-06-15T00:00:00.000Z', '1985-06-15'],
    ['DMY', '1990-02-01', '1990-02-01'],
    ['MDY', '06/15', '--06-15'],
    ['DMY', '15/06', '--06-15'],
    ['DMY', '15.6.', '--06-15'],
    ['YMD', '6/15', '--06-15'],
    ['DMY', '0000-06-15', '--06-15'],
    ['MDY', '1604-02-29', '--02-29'],
    ['DMY', '--06-15', '--06-15'],
    ['DMY', '--0615', '--06-15'],
    ['YMD', '15 June', '--06-15'],
    ['MDY', '15-Jun', '--06-15'],
    ['DMY', 'June 15th', '--06-15'],
    ['DMY', '6月15日', '--06-15'],
    ['MDY', '02/29', '--02-29'],
  ] as const)('in the order %s is read: %s', (dateOrder, birthday, expected) => {
    expect(read({ birthday }, { dateOrder })).toMatchObject({ profile: { birthday: expected }, problems: [] });
  });

  test.each([
    ['of tomorrow', 'YMD', '2026-06-02'],
    ['of long ago', 'YMD', '1899-12-31'],
    ['that does not exist', 'YMD', '2025-02-29'],
    ['in a thirteenth month', 'DMY', '01/13/1990'],
    ['whose zone may make it another day', 'YMD', '1985-06-14T16:00:00.000Z'],
    ['with an unknown month', 'DMY', '15-Foo-1985'],
    ['in another format', 'DMY', '1990/02/01'],
    ['without a year, on no day', 'MDY', '02/30'],
    ['without a year, in the other order', 'DMY', '06/15'],
    ['with a month and a year', 'DMY', '06/1985'],
    ['with a month that may be of a year', 'DMY', 'Jun-15'],
    ['of a month and a year of two digits', 'DMY', '6/85'],
  ] as const)('%s is left out', (_, dateOrder, birthday) => {
    expect(read({ birthday }, { dateOrder })).toMatchObject({
      profile: { birthday: null },
      problems: ['birthdayIgnored'],
    });
  });
});

test.each([
  ['VIP, regular; no peanuts', ['VIP', 'regular', 'no peanuts'], []],
  ['常客、VIP，vip', ['常客', 'VIP'], []],
  ['"VIP","No peanuts"', ['VIP', 'No peanuts'], []],
  [' , ', [], []],
  ['a'.repeat(41), [], ['tagsIgnored']],
  [Array.from({ length: 21 }, (_, at) => `t${at}`).join(), [], ['tagsIgnored']],
])('tags %s are read, or left out', (tags, expected, problems) => {
  expect(read({ tags })).toMatchObject({ profile: { tags: expected }, problems });
});

describe('a phone number', () => {
  test.each([
    ['of the merchant’s country', '8123 0001', '+6581230001'],
    ['of another one', '+86 138 0013 8000', '+8613800138000'],
    ['whose plus a spreadsheet took', '8613800138000', '+8613800138000'],
    ['of as few digits as an international one has', '4722123456', '+4722123456'],
  ])('%s is read', (_, phone, expected) => {
    expect(read({ phone })).toMatchObject({ profile: { phone: expected }, problems: [] });
  });

  test.each(['123', '812300011', 'none'])('%s is left out if there is an e-mail address, and else refused', (phone) => {
    expect(read({ phone })).toMatchObject({ profile: { phone: null }, problems: ['phoneIgnored'] });
    expect(read({ phone, email: '' }).problems).toEqual(['phoneInvalid']);
    expect(read({ phone, email: 'nobody' }).problems).toEqual(['phoneInvalid', 'emailInvalid']);
    expect(read({ phone: '81230001', email: 'nobody' }).problems).toEqual(['emailIgnored']);
  });
});

describe('an opening balance', () => {
  test.each([
    [{ principal: '25' }, { principal: 2_500, bonus: 0, points: 0, expiresAt: never }],
    [{ principal: '1,000.00' }, 'overBalanceLimit', { balanceLimit: 99_999 }],
    [
      { principal: 'S$12.5', bonus: '3.00' },
      { principal: 1_250, bonus: 300, points: 0, expiresAt: never },
    ],
    [{ principal: 'SGD 0.50' }, { principal: 50, bonus: 0, points: 0, expiresAt: never }],
    [{ points: '1,250' }, { principal: 0, bonus: 0, points: 1_250, expiresAt: never }],
    [{ principal: '1500' }, { principal: 1_500, bonus: 0, points: 0, expiresAt: never }, { currency: 'JPY' }],
    [
      { principal: '1', bonus: '2', expiresOn: '30/06/2026' },
      { principal: 100, bonus: 200, points: 0, expiresAt: { bonus: june, points: null } },
    ],
    [
      { bonus: '2', points: '3', expiresOn: '30/06/2026' },
      { bonus: 200, points: 3, expiresAt: { bonus: june, points: june } },
    ],
    [
      { bonus: '2', points: '3', expiresOn: '30/06/2026', bonusExpiresOn: '' },
      { bonus: 200, points: 3, expiresAt: { bonus: june, points: june } },
    ],
    [
      { bonus: '2', points: '3', bonusExpiresOn: '30/06/2026' },
      { bonus: 200, points: 3, expiresAt: { bonus: june, points: null } },
    ],
    [{ voucher: ' Free COFFEE' }, { points: 0, vouchers: { campaignId: 'coffee', count: 1, expiresAt: null } }],
    [
      { voucher: 'Free coffee', voucherCount: '=2.0', voucherExpiresOn: '30/06/2026' },
      { points: 0, vouchers: { campaignId: 'coffee', count: 2, expiresAt: june } },
    ],
    [{ voucher: 'Free coffee', voucherCount: '0' }, null],
    [{ voucherCount: '2' }, null],
    [{ voucher: 'Free tea' }, 'voucherUnknown'],
    [{ voucher: 'Free coffee', voucherCount: '101' }, 'voucherInvalid'],
    [{ voucher: 'Free coffee', voucherCount: 'two' }, 'voucherInvalid'],
    [{ voucher: 'Free coffee', voucherExpiresOn: '31/05/2026' }, 'voucherInvalid'],
    [{ voucher: 'Free coffee', voucherExpiresOn: '01/01/2027' }, 'voucherInvalid'],
    [{ points: '5', bonus: '1', bonusExpiresOn: 'soon', expiresOn: 'soon' }, 'expiryInvalid'],
    [
      { principal: '1', expiresOn: 'never' },
      { principal: 100, bonus: 0, points: 0, expiresAt: never },
    ],
    [{ principal: '0', bonus: '', points: '0' }, null],
    [{ principal: '12.345' }, 'amountInvalid'],
    [{ principal: '-5' }, 'amountInvalid'],
    [{ bonus: '12,5' }, { principal: 0, bonus: 1_250, points: 0, expiresAt: never }],
    [{ principal: '15.5' }, 'amountInvalid', { currency: 'JPY' }],
    [{ points: '1.5' }, 'pointsInvalid'],
    [{ points: '5', expiresOn: '31/05/2026' }, 'expiryInvalid'],
    [{ points: '5', expiresOn: 'soon' }, 'expiryInvalid'],
  ] as const)('%j', (values, expected, settings: object = {}) => {
    const row = read(values, { merchant: { ...merchant, ...settings } });
    if (typeof expected === 'string') expect(row).toMatchObject({ opening: null, problems: [expected] });
    else expect(row).toMatchObject({ opening: expected, problems: [] });
  });
});

test('columns of balances are guessed from their headings', () => {
  const headings = ['Name', 'Phone', 'Stored_value', 'Bonus', 'Points', 'Expiry date', 'Tier'];
  expect(guessMapping(headings, [], merchant).mapping.columns).toEqual({
    givenName: 0,
    phone: 1,
    principal: 2,
    bonus: 3,
    points: 4,
    expiresOn: 5,
  });
});

test('a name is not required; one that is too long is reported as such', () => {
  expect(read({ givenName: '' })).toMatchObject({ profile: { givenName: '', lastName: '' }, problems: [] });
  expect(read({ givenName: '', lastName: 'Tan' })).toMatchObject({
    profile: { givenName: '', lastName: 'Tan' },
    problems: [],
  });
  expect(read({ lastName: '' }).problems).toEqual([]);
  expect(read({ givenName: 'x'.repeat(101) }).problems).toEqual(['nameInvalid']);
  expect(read({ lastName: 'x'.repeat(101) }).problems).toEqual(['nameInvalid']);
});

describe('the date format of birthdays is guessed', () => {
  const guess = (...birthdays: string[]) =>
    guessMapping(
      ['Name', 'DOB'],
      birthdays.map((birthday) => ['Ada', birthday]),
      merchant,
    ).mapping;

  test.each([
    ['YMD', ['1990-02-01', '', '1991-12-31']],
    ['DMY', ['01/02/1990', '31/12/1991']],
    ['MDY', ['01/02/1990', '12/31/1991']],
    ['DMY', ['13/02/1990', '02/13/1990', '14/02/1990']],
  ])('as %s from %j', (dateOrder, birthdays) => {
    expect(guess(...birthdays)).toEqual({ columns: { givenName: 0, birthday: 1 }, dateOrder });
  });

  test('as the merchant’s country writes it if several fit', () => {
    expect(guess('01/02/1990').dateOrder).toBe('DMY');
    const { mapping } = guessMapping(['Name', 'DOB'], [['Ada', '01/02/1990']], { country: 'US', currency: 'USD' });
    expect(mapping.dateOrder).toBe('MDY');
  });
});
