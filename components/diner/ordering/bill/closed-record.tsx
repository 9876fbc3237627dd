import { useEffect, useMemo, useState } from 'react';
import type { DinerClient } from '../../diner-client';
import type { BillWords, DinerLanguage, TableWords } from '../../words';
import { readGuest } from '../guest';
import { moneyOf, TableSpeechProvider, timeOf } from '../table-context';
import { BillPageProvider } from './bill-context';
import { BillReceiptButton } from './bill-receipt';
import { PaymentNotice } from './payment-notice';
import { type BillRecord, keepRecord, readRecord } from './record';
import { Thanks } from './thanks';
import type { DinerBill } from './types';
import { usePayment } from './use-payment';

export interface ClosedRecordProps {
  words: BillWords;
  common: TableWords;
  language: DinerLanguage;
  client: DinerClient;
  token: string;
}

/** For the page of a closed code: this phone's own record of the bill, and the outcome of its payment. */
export function ClosedRecord({ token, ...props }: ClosedRecordProps) {
  const record = useRecord(props.client, token);
  return record ? <Recorded {...props} token={token} record={record} /> : null;
}

/** What the phone last saw, and then the closed bill, which the service shows to a phone that had a part in it. */
function useRecord(client: DinerClient, token: string): BillRecord | null {
  const [record, setRecord] = useState(() => readRecord(token));
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (bill: DinerBill | null) => {
      const seen = readRecord(token);
      if (signal.aborted || bill === null || seen === null) return;
      keepRecord(token, bill, seen.table);
      setRecord(readRecord(token));
    };
    // Without it, the record stays as it is.
    client.bill.get.query({ guestId: readGuest(token).guestId }, { signal }).then(show, () => {});
    return () => leaving.abort();
  }, [client, token]);
  return record;
}

function Recorded({ words, common, language, client, token, record }: ClosedRecordProps & { record: BillRecord }) {
  const { table } = record;
  const guest = useMemo(() => readGuest(token), [token]);
  const paying = usePayment({ client, token, guestId: guest.guestId, heldId: null, version: 0 });
  const speech = useMemo(
    () => ({
      words: common,
      language,
      priceNote: { text: null, subtotal: null },
      place: table,
      money: moneyOf(table.merchant, {}),
      time: timeOf(table.merchant, language),
    }),
    [common, language, table],
  );
  return (
    <TableSpeechProvider value={speech}>
      <BillPageProvider value={{ words, client, token, table, guest }}>
        <div className="mt-8 space-y-4">
          {paying.payment ? <PaymentNotice {...paying} payment={paying.payment} onChanged={() => {}} /> : null}
          {record.bill.state === 'closed' ? <Thanks bill={record.bill} canOrder={false} /> : null}
          <BillReceiptButton record={record} />
        </div>
      </BillPageProvider>
    </TableSpeechProvider>
  );
}
