import { useEffect, useRef, useState } from 'react';
import { cardLimits } from '@/server/domain/kernel/card-currencies';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../../diner-client';
import { type BillWords, fillText } from '../../words';
import { Call } from '../call';
import { readGuest } from '../guest';
import { Sheet } from '../sheet';
import { Price, useSpeech } from '../table-context';
import { useNews } from '../use-said';
import { BillPageProvider, useBillPage } from './bill-context';
import { BillLines } from './bill-lines';
import { newsOf } from './bill-news';
import { BillReceiptButton } from './bill-receipt';
import { ClosedBill } from './closed-bill';
import { Holdings } from './holdings';
import { PaySheet } from './pay-sheet';
import { PaymentNotice } from './payment-notice';
import { keepRecord } from './record';
import { Settled } from './settled';
import { tooLittleLeft } from './shares';
import { Thanks } from './thanks';
import type { DinerBill } from './types';
import { useBill } from './use-bill';
import { isUnderWay, usePayment } from './use-payment';

export interface BillSheetProps {
  words: BillWords;
  client: DinerClient;
  token: string;
  table: OpenTable;
  /** Changes each time the bill may have changed. */
  version: number;
  warning: string | null;
  /** True if the browser has a diner's session, which may have ended. */
  hasSession: boolean;
  /** Called when staff were called, or a call was withdrawn. */
  onCalled: () => void;
  onClose: () => void;
}

/** The table's bill: its items, what was paid and is left, and the ways to pay. */
export function BillSheet(props: BillSheetProps) {
  const { words, client, token, table, version, warning, hasSession, onCalled, onClose } = props;
  const { words: common } = useSpeech();
  const [guest] = useState(() => readGuest(token));
  const { bill, isStale, refresh } = useBill(client, guest.guestId, version);
  const heldId = bill?.payments.find(({ isMine, state }) => isMine && state === 'held')?.paymentId ?? null;
  const paying = usePayment({ client, token, guestId: guest.guestId, heldId, version });
  const [isPayOpen, setPayOpen] = useState(false);
  const [news, announce] = useBillNews(bill ?? null, words);
  useEffect(() => {
    if (bill) keepRecord(token, bill, table);
  }, [token, bill, table]);
  const { payment } = paying;
  const isPaying = payment !== null && isUnderWay(payment);
  // The bill may not show the outcome yet, so it is fetched again.
  useEffect(() => {
    if (payment && !isPaying) refresh();
  }, [payment, isPaying, refresh]);
  return (
    <BillPageProvider value={{ words, client, token, table, guest }}>
      <Sheet
        title={words.title}
        warning={warning ?? (isStale ? common.outOfDate : null)}
        onClose={onClose}
        footer={
          bill === null || bill?.due === 0 || isPaying ? null : (
            <Footer bill={bill} client={client} table={table} onCalled={onCalled} onPay={() => setPayOpen(true)} />
          )
        }
      >
        {/* As high from the start as most bills are, so that nothing moves once it is loaded. */}
        <div className="min-h-[68dvh] space-y-6 px-5 pt-3 pb-6 sm:min-h-96 sm:px-6">
          <p role="status" className={news ? 'notice-good sticky top-2 z-10 text-[0.9375rem]' : 'sr-only'}>
            {news}
          </p>
          {payment ? <PaymentNotice {...paying} payment={payment} onChanged={refresh} /> : null}
          {bill === undefined ? <p className="py-8 text-center text-muted">{words.loading}</p> : null}
          {bill === null ? <ClosedBill /> : null}
          {bill ? (
            <>
              {bill.state === 'closed' ? <Thanks bill={bill} canOrder /> : <Due bill={bill} />}
              {bill.isSettling ? <p className="notice-caution">{words.settling}</p> : null}
              <BillLines bill={bill} orders={table.orders} />
              <Settled bill={bill} onChanged={refresh} onDone={announce} />
              {table.offers.redeemsOnBill && bill.available > 0 ? (
                <Holdings bill={bill} hasSession={hasSession} onChanged={refresh} onDone={announce} />
              ) : null}
              {bill.lines.length > 0 ? <BillReceiptButton record={{ bill, table, seenAt: Date.now() }} /> : null}
            </>
          ) : null}
        </div>
        {isPayOpen && bill && bill.available > 0 ? (
          <PaySheet
            bill={bill}
            table={table}
            begin={paying.begin}
            drop={paying.drop}
            onChanged={refresh}
            onClose={() => setPayOpen(false)}
          />
        ) : null}
      </Sheet>
    </BillPageProvider>
  );
}

/** While the sheet is open, announces others' changes, and what this phone did. */
function useBillNews(bill: DinerBill | null, words: BillWords) {
  const { money } = useSpeech();
  const [news, announce] = useNews();
  const before = useRef<DinerBill | null>(null);
  useEffect(() => {
    const text = before.current && bill ? newsOf(before.current, bill, words, money) : '';
    if (text) announce(text);
    before.current = bill;
  }, [bill, words, money, announce]);
  return [news, announce] as const;
}

/** What is left to pay, large. */
function Due({ bill }: { bill: DinerBill }) {
  const { money } = useSpeech();
  const { words } = useBillPage();
  const { state, total, due, overpaid } = bill;
  if (overpaid > 0) return <p className="notice-caution">{fillText(words.overpaid, { amount: money(overpaid) })}</p>;
  if (bill.lines.length === 0) return <p className="text-muted">{words.empty}</p>;
  if (state === 'paid') {
    return (
      <div className="notice-good">
        <p className="text-lg font-semibold">{words.paidTitle}</p>
        <p className="font-normal">{words.paidText}</p>
      </div>
    );
  }
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-4">
      <span className="font-medium text-muted">{words.toPay}</span>
      <span className="text-right">
        <Price amount={due} className="text-3xl font-semibold tracking-[-0.03em] tabular-nums" />
        {due === total ? null : (
          <span className="block text-sm text-muted">{fillText(words.ofTotal, { total: money(total) })}</span>
        )}
      </span>
    </p>
  );
}

/** Shown if cards are not accepted, or not for so little: staff bring the bill, if they can be called. */
interface FooterProps extends Pick<BillSheetProps, 'client' | 'table' | 'onCalled'> {
  /** Undefined until it is loaded. The footer has its height already. */
  bill: DinerBill | undefined;
  onPay: () => void;
}

function Footer({ bill, client, table, onCalled, onPay }: FooterProps) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const { cardOnBill, callsStaff } = table.offers;
  if (!bill) return <div className={cardOnBill || !callsStaff ? 'sheet-footer min-h-18' : 'sheet-footer min-h-32'} />;
  const { currency } = table.merchant;
  const isTooLittle = tooLittleLeft(bill, 0, currency) > 0;
  if (cardOnBill && !isTooLittle) return <PayButton bill={bill} onPay={onPay} />;
  return (
    <div className="sheet-footer flex-col items-stretch">
      <p className="py-2 text-center font-medium">
        {cardOnBill && isTooLittle
          ? fillText(words.tooLittle, {
              amount: money(bill.available),
              least: money(cardLimits(currency).minimum),
            })
          : words.payAtCounter}
      </p>
      {callsStaff ? <Call kind="bill" client={client} calls={table.calls} onChanged={onCalled} /> : null}
    </div>
  );
}

function PayButton({ bill, onPay }: { bill: DinerBill; onPay: () => void }) {
  const { words } = useBillPage();
  if (bill.available === 0) return null;
  return (
    <div className="sheet-footer">
      <button type="button" className="primary-button grow" onClick={onPay}>
        <span>{words.pay}</span>
        <Price amount={bill.available} className="tabular-nums" />
      </button>
    </div>
  );
}
