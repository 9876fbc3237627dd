/** The redemptions on a bill, as the back office shows them. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages } from '@/components/messages/messages';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { BillRedemptions } from './bill-redemptions';
import type { BillStory } from './types';

const facts = { merchant: { currency: 'SGD', timeZone: 'Asia/Singapore', locale: 'en-SG' } } as OfficeFacts;

const redemption = {
  uid: 'tx_1',
  transactionId: 'T-1',
  type: 'redeemVoucher',
  customerName: 'Mei',
  voucherName: 'A tenth',
  amount: 100,
  isInDiscount: false,
  status: 'completed',
  occurredAt: '2026-03-30T04:00:00.000Z',
};

function shown(amountNow: number | null): string {
  const redemptions = [{ ...redemption, amountNow }] as unknown as BillStory['redemptions'];
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="Asia/Singapore" messages={messages.en}>
      <OfficeProvider facts={facts}>
        <BillRedemptions redemptions={redemptions} />
      </OfficeProvider>
    </NextIntlClientProvider>,
  );
}

test('a voucher that would take another amount by now has a mark, and others have none', () => {
  expect(shown(122)).toContain('Would take $1.22 now');
  expect(shown(0)).toContain('Would take $0.00 now');
  for (const amountNow of [100, null]) expect(shown(amountNow)).not.toContain('Would take');
});
