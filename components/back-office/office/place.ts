import { useTranslations } from 'next-intl';
import { useCallback } from 'react';

/** `12` is a table number; `Terrace 3` is a name that needs no prefix. */
export const isNumber = (table: string): boolean => /^\p{N}/u.test(table);

/** Names a QR code or its order by the table, or else by the bill. */
export function usePlace() {
  const t = useTranslations('qrCodes');
  return useCallback(
    ({ table, billId }: { table: string | null; billId: string }) =>
      table === null ? t('billName', { billId }) : isNumber(table) ? t('tableName', { table }) : table,
    [t],
  );
}
