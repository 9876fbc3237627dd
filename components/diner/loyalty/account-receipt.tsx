'use client';

import { Receipt } from '../receipt/receipt';
import { ReceiptActions } from '../receipt/receipt-actions';
import type { ReceiptContent } from '../receipt/receipt-content';
import { useLoyalty } from './loyalty-context';

const button =
  'inline-flex min-h-11 grow items-center justify-center rounded-lg border border-edge bg-surface px-5 font-medium hover:border-ink';

/** A transaction's receipt, to print, share or copy. */
export function AccountReceipt({ content, logoId }: { content: ReceiptContent; logoId: string | null }) {
  const { words } = useLoyalty();
  return (
    <>
      <div className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
        <Receipt content={content} logoId={logoId} />
      </div>
      <div className="flex flex-wrap gap-3">
        <ReceiptActions content={content} words={words} className={button} />
      </div>
    </>
  );
}
