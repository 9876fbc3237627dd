/** The redemptions in a bill's history. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages } from '@/components/messages/messages';
import type { Language } from '@/server/domain/kernel/context';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { BillHistory } from './bill-history';

const facts = { merchant: { currency: 'SGD', timeZone: 'Asia/Singapore', locale: 'en-SG' } } as OfficeFacts;

/** Returns the history of a bill on which one voucher was redeemed and taken back. */
function history(language: Language, voucherName: string | null): string {
  const redemption = { uid: 'tx_1', type: 'redeemVoucher' as const, customerName: 'Mei', voucherName };
  const changes = ['redemption.redeem', 'redemption.takeBack'].map((action, minute) => ({
    action,
    redemption,
    by: 'Till',
    details: { amount: 500 },
    at: `2026-03-30T04:0${minute}:00Z`,
  }));
  return renderToStaticMarkup(
    <NextIntlClientProvider locale={language} timeZone="Asia/Singapore" messages={messages[language]}>
      <OfficeProvider facts={facts}>
        <BillHistory changes={changes} />
      </OfficeProvider>
    </NextIntlClientProvider>,
  );
}

test.each([
  ['en', 'Lunch', ['Redeemed: voucher Lunch, $5.00', 'Taken back: voucher Lunch, $5.00']],
  ['en', null, ['Redeemed: voucher, $5.00', 'Taken back: voucher, $5.00']],
  ['ms', null, ['Ditebus: baucar, ', 'Ditarik balik: baucar, ']],
  ['zh', null, ['已使用：优惠券，', '已撤回：优惠券，']],
  ['ja', '昼食', ['利用：クーポン「昼食」、', '取り消し：クーポン「昼食」、']],
  ['ja', null, ['利用：クーポン、', '取り消し：クーポン、']],
] as const)('in %s, a voucher named %s', (language, voucherName, lines) => {
  const shown = history(language, voucherName);
  for (const line of lines) expect(shown).toContain(line);
});
