import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AmountError, checkSale, toMinorUnits } from '@/clients/typescript/src/index';
import { minorDigits } from '@/server/domain/kernel/money';
import { saleBody } from '../ordering-operations';

test('each currency has as many decimals as in the service', () => {
  for (const currency of [...Intl.supportedValuesOf('currency'), 'UYW']) {
    expect(toMinorUnits('1', currency), currency).toBe(10 ** minorDigits(currency));
  }
});

test('an amount is converted exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), fc.constantFrom('SGD', 'JPY', 'KWD'), (minor, currency) => {
      const digits = minorDigits(currency);
      const text = String(minor).padStart(digits + 1, '0');
      const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      expect(toMinorUnits(decimal, currency)).toBe(minor);
      expect(Object.is(toMinorUnits(`-${decimal}`, currency), minor === 0 ? 0 : -minor)).toBe(true);
    }),
  );
});

test.each([
  ['10.505', 'SGD'],
  ['10.5', 'JPY'],
  ['10,50', 'SGD'],
  ['1e3', 'SGD'],
  ['', 'SGD'],
  ['.5', 'SGD'],
  ['99999999999999999', 'SGD'],
  ['1', 'sgd'],
])('%s %s is no amount', (text, currency) => {
  expect(() => toMinorUnits(text, currency)).toThrow(AmountError);
});

type Sale = Parameters<typeof checkSale>[0];

test('the sums of a sale are checked as the service does', () => {
  const sale = saleBody() as Sale;
  checkSale(sale);
  const off = { ...sale, subtotal: 1_781, payments: [{ method: 'visa', amount: 1 }] };
  expect(() => checkSale(off)).toThrow(
    'lines: 1780, not 1781; subtotal - discount + serviceCharge + tax + rounding: 2136, not 2135; payments: 1, not 2135',
  );
});

test('numbers are whole, except quantities', () => {
  const [line] = (saleBody() as Sale).lines as [Sale['lines'][number]];
  checkSale(saleBody({ lines: [{ ...line, quantity: 0.355 }] }) as Sale);
  const price = { lines: [{ ...line, unitPrice: 8.95 * 100 }] };
  expect(() => checkSale(saleBody(price) as Sale)).toThrow(
    'body.lines.0.unitPrice is 894.9999999999999. Send minor units',
  );
  expect(() => checkSale(saleBody({ lines: [{ ...line, quantity: Number.NaN }] }) as Sale)).toThrow('quantity');
  expect(() => checkSale(saleBody({ tax: Number.NaN }) as Sale)).toThrow('body.tax is NaN');
});
