import { useMemo, useState } from 'react';
import type { DinerClient } from '../../diner-client';
import type { BillWords, DinerLanguage, TableWords } from '../../words';
import { readGuest } from '../guest';
import { moneyOf, TableSpeechProvider, timeOf } from '../table-context';
import { BillPageProvider } from './bill-context';
import { BillReceiptButton } from './bill-receipt';
import { PaymentNotice } from './payment-notice';
import { type BillRecord, readRecord } from './record';
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
  const [record] = useState(() => readRecord(token));
  return record ? <Recorded {...props} token={token} record={record} /> : null;
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
          <BillReceiptButton record={record} />
        </div>
      </BillPageProvider>
    </TableSpeechProvider>
  );
}
