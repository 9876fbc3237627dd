import type { BillWords, DinerLanguage } from '../../words';
import { BillSheet, type BillSheetProps } from './bill-sheet';
import { ClosedRecord, type ClosedRecordProps } from './closed-record';

/** The texts come with the bill: the page itself does not need them. */
const texts: Record<DinerLanguage, () => Promise<{ default: BillWords }>> = {
  en: () => import('../../words/en/bill.json'),
  zh: () => import('../../words/zh/bill.json'),
  ja: () => import('../../words/ja/bill.json'),
  ms: () => import('../../words/ms/bill.json'),
};

/** Loads the texts for what shows the bill: in a sheet, and on the page of a code that is over. */
export async function loadBill(language: DinerLanguage) {
  const { default: words } = await texts[language]();
  return {
    Sheet: (props: Omit<BillSheetProps, 'words'>) => <BillSheet {...props} words={words} />,
    Record: (props: Omit<ClosedRecordProps, 'words'>) => <ClosedRecord {...props} words={words} />,
  };
}
export type BillParts = Awaited<ReturnType<typeof loadBill>>;
