import { useTranslations } from 'next-intl';
import { useCallback } from 'react';

/** `12` is a table's number, `Terrace 3` a name that stands for itself. */
export const isNumber = (table: string): boolean => /^\p{N}/u.test(table);

/** What staff call a code or its order: by the table, else by the bill. */
export function usePlace() {
  const t = useTranslations('qrCodes');
  return useCallback(
    ({ table, billId }: { table: string | null; billId: string }) =>
      table === null ? t('billName', { billId }) : isNumber(table) ? t('tableName', { table }) : table,
    [t],
  );
}
