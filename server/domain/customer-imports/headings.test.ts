import { describe, expect, test } from 'vitest';
import { guessMapping } from './guess-mapping';
import type { ImportField } from './schemas';

const merchant = { country: 'SG', currency: 'SGD' };
/** The heading of each guessed field. */
const guess = (headings: string[], rows: string[][] = []) => {
  const { columns } = guessMapping(headings, rows, merchant).mapping;
  return Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, headings[column]]));
};

test.each<[string, string[], Partial<Record<ImportField, string>>]>([
  [
    'points are no money',
    ['Name', 'Phone', 'Points balance'],
    { givenName: 'Name', phone: 'Phone', points: 'Points balance' },
  ],
  ['a credit limit is none', ['Name', 'Phone', 'Credit Limit'], { givenName: 'Name', phone: 'Phone' }],
  [
    'a debt is none',
    ['Name', 'Phone', 'Account Balance', 'Amount due', 'Receivable balance'],
    { givenName: 'Name', phone: 'Phone' },
  ],
  ['a bare balance does not say so', ['Name', 'Phone', 'Balance', 'Credit'], { givenName: 'Name', phone: 'Phone' }],
  [
    'a balance of a currency does',
    ['Name', 'Phone', 'Balance (S$)'],
    { givenName: 'Name', phone: 'Phone', principal: 'Balance (S$)' },
  ],
  [
    'store credit comes before loyalty',
    ['first_name', 'email', 'loyalty_balance', 'store_credit_balance'],
    { givenName: 'first_name', email: 'email', principal: 'store_credit_balance' },
  ],
  [
    'Store credit',
    ['Member Name', 'Phone', 'Store credit'],
    { givenName: 'Member Name', phone: 'Phone', principal: 'Store credit' },
  ],
  [
    'a full name is not added to a last name',
    ['Full name', 'Last name', 'Email'],
    { givenName: 'Full name', email: 'Email' },
  ],
  [
    'first name over name',
    ['Name', 'First name', 'Last name', 'Email'],
    { givenName: 'First name', lastName: 'Last name', email: 'Email' },
  ],
  ['Name beside Surname', ['Name', 'Surname', 'Email'], { givenName: 'Name', lastName: 'Surname', email: 'Email' }],
  ['Phone over another phone', ['Name', 'Default Address Phone', 'Phone'], { givenName: 'Name', phone: 'Phone' }],
  [
    'the value, not the type',
    ['Name', 'Phone 1 - Type', 'Phone 1 - Value'],
    { givenName: 'Name', phone: 'Phone 1 - Value' },
  ],
  ['the number, not the country', ['Name', 'Mobile Country Code', 'Mobile'], { givenName: 'Name', phone: 'Mobile' }],
  [
    'no label of a mail',
    ['Name', 'E-mail 1 - Label', 'E-mail 1 - Value'],
    { givenName: 'Name', email: 'E-mail 1 - Value' },
  ],
  [
    'the expiry of a bank card is not the points’',
    ['Name', 'Phone', 'Card_Brand', 'Expiry_Date', 'Points'],
    { givenName: 'Name', phone: 'Phone', points: 'Points' },
  ],
  [
    'nor that of a licence',
    ['Name', 'Phone', 'Licence expiry', 'Points'],
    { givenName: 'Name', phone: 'Phone', points: 'Points' },
  ],
  ['an expiry without points is none', ['Name', 'Phone', 'Expiry date'], { givenName: 'Name', phone: 'Phone' }],
  [
    'the points’ expiry',
    ['Name', 'Phone', 'Card_Brand', 'Points', 'Points Expiry Date', 'Expiry_Date'],
    { givenName: 'Name', phone: 'Phone', points: 'Points', expiresOn: 'Points Expiry Date' },
  ],
  [
    'a customer’s phone',
    ['Customer', 'Customer phone', 'Customer ID'],
    { givenName: 'Customer', phone: 'Customer phone' },
  ],
  ['no shop’s', ['Store name', 'Guest name', 'Business phone', 'Cell'], { givenName: 'Guest name', phone: 'Cell' }],
  [
    'Chinese',
    ['姓名', '手机号码', '储值余额', '积分', '积分到期日'],
    { givenName: '姓名', phone: '手机号码', principal: '储值余额', points: '积分', expiresOn: '积分到期日' },
  ],
  [
    'Japanese',
    ['氏名', '電話番号', 'メールアドレス', '生年月日', 'ポイント残高'],
    { givenName: '氏名', phone: '電話番号', email: 'メールアドレス', birthday: '生年月日', points: 'ポイント残高' },
  ],
  [
    'Malay',
    ['Nama penuh', 'No telefon', 'Emel', 'Tarikh lahir', 'Mata'],
    { givenName: 'Nama penuh', phone: 'No telefon', email: 'Emel', birthday: 'Tarikh lahir', points: 'Mata' },
  ],
])('%s', (_, headings, expected) => {
  expect(guess(headings)).toEqual(expected);
});

test('a name that holds the surname in the rows is the whole name', () => {
  expect(guess(['Name', 'Surname', 'Email'], [['Amy Tan', 'Tan', '']])).toEqual({ givenName: 'Name', email: 'Email' });
  expect(guess(['Name', 'Surname', 'Email'], [['Amy', 'Tan', '']])).toMatchObject({ lastName: 'Surname' });
});

test('of two columns with equal headings, the filled one counts', () => {
  expect(guess(['Name', 'Mobile', 'Phone'], [['Amy', '', '81234567']])).toMatchObject({ phone: 'Phone' });
  expect(guess(['Name', 'Phone', 'Mobile'], [['Amy', '61234567', '81234567']])).toMatchObject({ phone: 'Mobile' });
});

describe('columns that may be a balance', () => {
  test('are named, until they are chosen', () => {
    const headings = ['Name', 'Phone', 'Balance', 'Stamps', 'Points', 'Tier'];
    expect(guessMapping(headings, [], merchant).doubtful).toEqual([2, 3]);
  });
});
