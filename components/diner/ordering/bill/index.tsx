import type { BillWords, DinerLanguage, TableWords } from '../../words';
import { BillSheet, type BillSheetProps } from './bill-sheet';
import { ClosedRecord, type ClosedRecordProps } from './closed-record';

/** Loaded together with the bill, because the page itself does not need these texts. */
const texts: Record<DinerLanguage, () => Promise<{ default: Partial<BillWords> }>> = {
  en: () => import('../../words/en/bill.json'),
  zh: () => import('../../words/zh/bill.json'),
  ja: () => import('../../words/ja/bill.json'),
  ms: () => import('../../words/ms/bill.json'),
};

/** Loads the texts for the bill, in its sheet and on the page of a closed code. */
export async function loadBill(language: DinerLanguage, { untranslatedBill }: TableWords) {
  const { default: own } = await texts[language]();
  const words = { ...untranslatedBill, ...own } as BillWords;
  return {
    Sheet: (props: Omit<BillSheetProps, 'words'>) => <BillSheet {...props} words={words} />,
    Record: (props: Omit<ClosedRecordProps, 'words'>) => <ClosedRecord {...props} words={words} />,
  };
}
export type BillParts = Awaited<ReturnType<typeof loadBill>>;
