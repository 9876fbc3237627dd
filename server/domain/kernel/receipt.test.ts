import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import type { Merchant } from './context';
import { formatReceipt, receiptWords } from './receipt';
import { maxMoney } from './schemas';

const merchant: Merchant = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Kopi & Kaya',
  currency: 'SGD',
  country: 'SG',
  timeZone: 'Asia/Singapore',
  locale: 'en-SG',
  pinRequired: false,
  balanceLimit: null,
  earningSaleLimit: null,
  customerDailyPoints: null,
  customerDailyValue: null,
  newCustomerDailyValue: null,
  keyDailyPoints: null,
  keyDailyValue: null,
  keyDailySignUps: null,
  earnPoints: 1,
  earnPerAmount: 100,
  pointValue: 1,
  minRedeemPoints: 1,
  pointsExpiryMonths: null,
  pointsOnNet: false,
  backdatingDays: 31,
  dayStartsAt: 0,
  enrolOnSale: false,
  signUpNeedsPhone: false,
  returnedValueDays: null,
  cashOutKeepsBonus: false,
  refusesOwing: false,
  noPointsPlus: [],
  noPointsCategoryIds: [],
  clockAheadSeconds: 0,
  noticeKinds: [],
  eventTypes: [],
  quietHours: null,
  cardAccountId: null,
  cardAccountState: null,
};

const japanese: Merchant = { ...merchant, currency: 'JPY', locale: 'ja-JP' };

/** Columns on a receipt printer: East Asian characters take two. */
const columnsOf = (line: string) =>
  [...line].reduce(
    (total, char) => total + (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー￥]/u.test(char) ? 2 : 1),
    0,
  );

test('labels are at the left and amounts at the right of 40 columns', () => {
  expect(
    formatReceipt(merchant, [
      ['added', 12_000],
      ['balance', 123_456],
    ]).split('\n'),
  ).toEqual(['Kopi & Kaya', 'Added to balance                 $120.00', 'Balance                        $1,234.56']);
});

test('points are grouped as the merchant’s language writes numbers', () => {
  const pointsIn = (locale: string) =>
    formatReceipt({ ...merchant, locale }, [['points', { count: 99_900 }]])
      .split(' ')
      .at(-1);
  expect(['en-SG', 'ja-JP', 'de-DE'].map(pointsIn)).toEqual(['99,900', '99,900', '99.900']);
});

test('it is in the merchant’s language, or in English if there are no words', () => {
  const firstWord = (locale: string) =>
    formatReceipt({ ...merchant, locale }, [['balance', 0]])
      .split('\n')[1]
      ?.split(' ')[0];
  expect(['en-GB', 'zh-SG', 'ja-JP', 'ms-MY', 'fr-FR'].map(firstWord)).toEqual([
    'Balance',
    '余额',
    '残高',
    'Baki',
    'Balance',
  ]);
});

test('wide characters count twice, so that amounts stay in their column', () => {
  const [, redeemed, due] = formatReceipt(japanese, [
    ['redeemed', 1_200],
    ['due', 0],
  ]).split('\n');
  expect(redeemed).toMatch(/^チャージ残高利用 +￥1,200$/);
  expect(columnsOf(redeemed ?? '')).toBe(40);
  expect(columnsOf(due ?? '')).toBe(40);
});

test('a text may replace an amount', () => {
  expect(formatReceipt(merchant, [['bonus', '10 %']]).split('\n')[1]).toBe('Bonus                               10 %');
});

test('a long name is cut to the paper’s width, between characters', () => {
  expect(formatReceipt({ ...merchant, name: 'x'.repeat(60) }, [])).toBe('x'.repeat(40));
  expect(formatReceipt({ ...merchant, name: `x${'店'.repeat(30)}` }, [])).toBe(`x${'店'.repeat(19)}`);
  expect(formatReceipt({ ...merchant, name: `${'x'.repeat(39)}😀😀` }, [])).toBe('x'.repeat(39));
});

test('no line is wider than the paper, whatever the amounts', () => {
  const words = ['paid', 'bonus', 'added', 'redeemed', 'due', 'balance'] as const;
  for (const locale of ['en-SG', 'zh-CN', 'ja-JP', 'ms-MY']) {
    for (const word of words) {
      for (const amount of [0, maxMoney]) {
        const lines = formatReceipt({ ...merchant, locale }, [[word, amount]]).split('\n');
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(40);
      }
    }
  }
});

/** What receipts may hold: each word, amounts of all sizes, a name with accents and typographic signs. */
const everything = (locale: string, currency: string) =>
  formatReceipt({ ...merchant, name: `Café “Zoë” – 50½ · ${locale}\u00a0`, locale, currency }, [
    ...receiptWords.flatMap((word) => [0, -1, 123_456, maxMoney].map((amount) => [word, amount] as const)),
    ['points', { count: 1_234_567 }],
  ]);

describe('tills encode a receipt in the code page of their printer', () => {
  test.each([
    ['en-SG', ['cp437', 'cp858', 'gb18030']],
    ['ms-MY', ['cp437', 'cp858', 'gb18030']],
    ['de-DE', ['cp437', 'cp858']],
    ['fr-FR', ['cp437', 'cp858']],
    ['ar-EG', ['cp437', 'cp858']],
    ['vi-VN', ['cp437', 'cp858']],
    ['ja-JP', ['cp932']],
    ['zh-SG', ['gb18030']],
    ['zh-CN', ['gb18030']],
  ])('%s', (locale, pages) => {
    for (const currency of Intl.supportedValuesOf('currency')) {
      const text = everything(locale, currency);
      for (const page of pages) expect(iconv.decode(iconv.encode(text, page), page)).toBe(text);
    }
  });

  test('a line has as many columns as bytes in code pages of two', () => {
    for (const [locale, page] of [
      ['ja-JP', 'cp932'],
      ['zh-CN', 'gbk'],
    ] as const) {
      const [, ...lines] = formatReceipt({ ...merchant, locale, currency: locale === 'ja-JP' ? 'JPY' : 'CNY' }, [
        ['redeemed', -1_200],
        ['points', { count: 99_900 }],
      ]).split('\n');
      for (const line of lines) expect(iconv.encode(line, page)).toHaveLength(40);
    }
  });
});

test.each([
  ['ms-MY', 'MYR', 'RM 1,234.56'],
  ['de-DE', 'EUR', '1.234,56 EUR'],
  ['fr-FR', 'EUR', '1 234,56 EUR'],
  ['en-GB', 'GBP', '£1,234.56'],
  ['id-ID', 'IDR', 'Rp 1.234,56'],
  ['vi-VN', 'VND', '123.456 VND'],
  ['ar-AE', 'AED', '1,234.56 AED'],
  ['sv-SE', 'SEK', '1 234,56 kr'],
  ['ja-JP', 'JPY', '￥123,456'],
  ['zh-CN', 'CNY', '￥1,234.56'],
  ['en-US', 'JPY', '¥123,456'],
])('an amount of %s in %s is printed as %s', (locale, currency, expected) => {
  const [, line = ''] = formatReceipt({ ...merchant, locale, currency }, [['due', 123_456]]).split('\n');
  expect(line.slice(12).trimStart()).toContain(expected);
});
