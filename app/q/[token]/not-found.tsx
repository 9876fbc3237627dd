import { SettledNotice } from '@/components/ordering/settled-notice';
import { wordsFor } from '@/components/ordering/words';
import { readersLanguage } from './load-table';

/** For a settled bill, an expired code and a wrong one alike. */
export default async function SettledPage() {
  return <SettledNotice words={wordsFor(await readersLanguage())} />;
}
