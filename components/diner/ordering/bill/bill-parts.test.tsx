/** Parts of a table's bill, as a phone shows them. */
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DinerClient } from '../../diner-client';
import bill from '../../words/en/bill.json';
import table from '../../words/en/table.json';
import { moneyOf, TableSpeechProvider, timeOf } from '../table-context';
import { BillPageProvider } from './bill-context';
import { BillLines } from './bill-lines';
import { exampleBill } from './example-bill';
import { Settled } from './settled';
import { Thanks } from './thanks';
import type { DinerBill } from './types';

const merchant = {
  name: 'Kopi & Kaya',
  currency: 'SGD',
  country: 'SG',
  locale: 'en-SG',
  timeZone: 'Asia/Singapore',
  logoId: null,
};
const place = {
  merchantId: 'merchant',
  merchant,
  store: { name: 'Orchard', address: '', phone: '' },
  table: '14',
  taxRules: {
    taxName: 'GST',
    taxBasisPoints: 900,
    taxIncluded: false,
    serviceBasisPoints: 1_000,
    serviceIncluded: false,
  },
};

/** Returns the text of a part of the bill's sheet. */
function textOf(part: ReactNode, guestName = ''): string {
  const speech = {
    words: table,
    language: 'en' as const,
    priceNote: { text: 'Prices exclude 9% GST.', subtotal: 'Subtotal' },
    place,
    money: moneyOf(merchant, {}),
    time: timeOf(merchant, 'en'),
  };
  const page = {
    words: bill,
    client: {} as DinerClient,
    token: 'token',
    table: place,
    guest: { guestId: '', guestName },
  };
  return renderToStaticMarkup(
    <TableSpeechProvider value={speech as never}>
      <BillPageProvider value={page as never}>{part}</BillPageProvider>
    </TableSpeechProvider>,
  ).replace(/<[^>]*>/g, '|');
}

const redemption: DinerBill['redemptions'][number] = {
  type: 'redeemVoucher',
  amount: 100,
  amountNow: 122,
  isInDiscount: false,
  isVoided: false,
  isMine: true,
  canTakeBack: false,
  transactionId: null,
};
const settled = (changed: Partial<typeof redemption>) =>
  textOf(
    <Settled
      bill={exampleBill({ redemptions: [{ ...redemption, ...changed }] })}
      onChanged={() => {}}
      onDone={() => {}}
    />,
  );

test('a voucher that would take another amount by now says so', () => {
  expect(settled({})).toContain('would take $1.22 now: ask the staff');
  expect(settled({ amountNow: 0 })).toContain('would take $0.00 now: ask the staff');
  for (const amountNow of [100, null]) expect(settled({ amountNow })).not.toContain('now');
});

const order = (plu: string, onBillBefore: number) => ({
  status: 'placed',
  isMine: true,
  placedAt: '2026-11-27T05:00:00.000Z',
  lines: [{ plu, quantity: 1, unitPrice: 890, onBillBefore }],
});
const lines = (bill: DinerBill, orders: ReturnType<typeof order>[]) =>
  textOf(<BillLines bill={bill} orders={orders as never} />);

test('orders that are not on the bill stand under it, and nothing on it is theirs', () => {
  const shown = lines(exampleBill(), [order('LAKSA', 3), order('TEH', 1)]);
  expect(shown).toContain('2 orders are not on the bill yet: $17.80');
  expect(shown).toContain('Not included in what is left to pay. Prices exclude 9% GST.');
  expect(shown).not.toMatch(/yours/i);
  expect(lines(exampleBill(), [order('LAKSA', 2)])).toMatch(/LAKSA[ |]*1 yours/);
  expect(lines(exampleBill({ lines: [] }), [order('LAKSA', 0)])).toContain('1 order is not on the bill yet: $8.90');
  expect(lines(exampleBill({ state: 'closed' }), [order('LAKSA', 3)])).not.toContain('not on the bill');
});

test('who has paid is thanked by name, with the points, and told what comes next', () => {
  const thanks = (name: string, pointsEarned: number) => ({ thanks: { name, pointsEarned } });
  const shown = textOf(<Thanks bill={thanks('Hui', 21)} canOrder />);
  expect(shown).toContain('Paid. Thank you, Hui!');
  expect(shown).toContain('You earned 21 points.');
  expect(shown).toContain('Would you like more?');
  const guest = textOf(<Thanks bill={{ thanks: null }} canOrder={false} />, 'Mei');
  expect(guest).toContain('Paid. Thank you, Mei!');
  expect(guest).not.toMatch(/earned|more/);
  expect(textOf(<Thanks bill={thanks('', 0)} canOrder={false} />)).toContain('Paid. Thank you!');
});
