import { expect, test } from 'vitest';
import type { Voucher } from '@/server/domain/kernel/voucher';
import { loyaltyWords } from '../dictionaries';
import type { DinerLanguage } from '../words';
import { speechOf } from './speech';
import { voucherTerms } from './voucher-terms';

const merchant = {
  id: '1',
  name: 'Kitchen',
  locale: 'en-SG',
  currency: 'SGD',
  timeZone: 'Asia/Singapore',
  dayStartsAt: 0,
};
const names = { D1: 'Kopi', D2: 'Teh', D3: 'Milo', D4: 'Kopi O', D5: 'Barley water' };
const free: Voucher = {
  voucherCode: 'AAAAA-AAAAA',
  name: 'Welcome',
  unit: 'ItemDollarPercentage',
  value: 100,
  plus: ['D1'],
  minSpend: 0,
  maxDiscount: null,
  maxUnits: 1,
  stackable: false,
  issuedAt: '2026-11-20T12:00:00Z',
  expiresAt: null,
};
const terms = (voucher: Partial<Voucher>, language: DinerLanguage = 'en') =>
  voucherTerms({ ...free, ...voucher }, names, speechOf(merchant, language, loyaltyWords[language])).join(' · ');

test('a voucher for items names them, and how many it is for', () => {
  expect(terms({})).toBe('Free: Kopi · 1 item');
  expect(terms({ value: 50, plus: ['D1', 'D2'] })).toBe('50% off Kopi or Teh · 1 item');
  expect(terms({ unit: 'ItemDollarValue', maxUnits: 2 })).toBe('$1.00 off Kopi · up to 2 items');
  expect(terms({ plus: Object.keys(names) })).toBe('Free: Kopi, Teh, Milo, or another of its items · 1 item');
  expect(terms({ plus: ['gone'] })).toBe('Free: selected items · 1 item');
  expect(terms({}, 'ja')).toBe('無料：Kopi · 1点まで');
});

test('a voucher for the bill has no items', () => {
  const bill = { unit: 'BillDollarValue', value: 500, plus: [], minSpend: 2_000, maxDiscount: null } as const;
  expect(terms({ ...bill, plus: [] })).toBe('$5.00 off the bill · when you spend $20.00 or more');
});
