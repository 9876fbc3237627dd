import { useState } from 'react';
import { fillText } from '../../words';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { BillReceiptButton } from './bill-receipt';
import { readRecord } from './record';

/** Shown if no bill is open: it was closed meanwhile, or the till has not sent one yet. */
export function ClosedBill() {
  const { words, token } = useBillPage();
  const { time } = useSpeech();
  const [record] = useState(() => readRecord(token));
  if (!record) return <p className="text-muted">{words.empty}</p>;
  return (
    <section className="space-y-4">
      <div className="notice-good">
        <p className="text-lg font-semibold">{words.closedTitle}</p>
        <p className="font-normal">
          {fillText(words.closedWhy, { time: time(new Date(record.seenAt).toISOString()) })}
        </p>
      </div>
      <BillReceiptButton record={record} />
    </section>
  );
}
