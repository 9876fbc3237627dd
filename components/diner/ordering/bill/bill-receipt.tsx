import { useEffect, useState } from 'react';
import { Receipt } from '../../receipt/receipt';
import { ReceiptActions } from '../../receipt/receipt-actions';
import type { BillWords } from '../../words';
import { Sheet } from '../sheet';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { receiptOfBill } from './receipt-of-bill';
import type { BillRecord } from './record';
import { useTask } from './use-task';

/** It is a receipt once nothing is left to pay. */
const titleOf = ({ bill: { state } }: BillRecord, words: BillWords) =>
  state === 'open' ? words.itemisedBill : words.receipt;

/** Opens the bill as a paper to print, share or send. */
export function BillReceiptButton({ record }: { record: BillRecord }) {
  const { words } = useBillPage();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet-button w-full" onClick={() => setOpen(true)}>
        {titleOf(record, words)}
      </button>
      {isOpen ? <BillReceipt record={record} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function BillReceipt({ record, onClose }: { record: BillRecord; onClose: () => void }) {
  const { words } = useBillPage();
  const { words: common, language, money } = useSpeech();
  const content = receiptOfBill(record, { words, common, language, money });
  return (
    <Sheet
      title={titleOf(record, words)}
      warning={null}
      onClose={onClose}
      footer={
        <div className="sheet-footer flex-wrap">
          <ReceiptActions content={content} words={common} className="quiet-button grow" />
          <SendReceipt />
        </div>
      }
    >
      <div className="px-5 pt-4 pb-6 sm:px-6">
        <Receipt content={content} logoId={record.table.merchant.logoId} />
      </div>
    </Sheet>
  );
}

/** Sends it to the WhatsApp of a signed-in diner, if the merchant sends receipts. */
function SendReceipt() {
  const { words, client } = useBillPage();
  const { isBusy, refusal, run } = useTask();
  const [canSend, setCanSend] = useState(false);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    client.bill.sendsReceipt.query(undefined, { signal: leaving.signal }).then(
      setCanSend,
      // No diner is signed in.
      () => {},
    );
    return () => leaving.abort();
  }, [client]);
  const send = () =>
    run(async () => {
      await client.bill.sendReceipt.mutate();
      setSent(true);
    });
  return (
    <>
      {canSend && !isSent ? (
        <button type="button" className="quiet-button grow" aria-disabled={isBusy || undefined} onClick={send}>
          {words.sendReceipt}
        </button>
      ) : null}
      <p role="status" className="w-full text-center text-[0.9375rem] empty:hidden">
        {isSent ? words.receiptSent : refusal?.text}
      </p>
    </>
  );
}
