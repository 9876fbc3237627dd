import { expect, test } from 'vitest';
import { receiptText, senderOf } from './receipt-content';

const store = { name: 'Kopi & Kaya Orchard', address: '391 Orchard Road', phone: '+65 6123 4567' };

test('a receipt as a text has who gives it, what it is for, and what prices include', () => {
  const text = receiptText({
    business: 'Kopi & Kaya',
    store,
    title: 'Table 14',
    time: '20 Nov 2026, 7:44 pm',
    lines: [
      { text: 'Order 12', isStrong: true },
      { text: '2 × Teh', amount: '$3.60' },
      { text: 'Subtotal', amount: '$3.60', isStrong: true },
    ],
    notes: ['Prices exclude 10% service charge and 9% GST.'],
  });
  expect(text).toBe(
    [
      ...['Kopi & Kaya Orchard', '391 Orchard Road', '+65 6123 4567', '', 'Table 14', '20 Nov 2026, 7:44 pm', ''],
      ...['Order 12', '2 × Teh  $3.60', 'Subtotal  $3.60', '', 'Prices exclude 10% service charge and 9% GST.'],
    ].join('\n'),
  );
});

test('a store that has no address has none, and one named otherwise is named with its business', () => {
  expect(senderOf({ business: 'Kopi & Kaya', store: { name: 'Katong', address: '', phone: '' } })).toEqual([
    'Kopi & Kaya · Katong',
  ]);
  expect(senderOf({ business: 'Kopi & Kaya', store: null })).toEqual(['Kopi & Kaya']);
});
