import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { SettledNotice } from '@/components/ordering/settled-notice';
import { spokenLanguage, wordsFor } from '@/components/ordering/words';

async function readersWords() {
  return wordsFor(spokenLanguage((await headers()).get('accept-language')));
}

export async function generateMetadata(): Promise<Metadata> {
  const { settledTitle } = await readersWords();
  return { title: { absolute: settledTitle }, referrer: 'no-referrer' };
}

/** For a settled bill, an expired code and a wrong one alike, in the reader's language. */
export default async function SettledPage() {
  return <SettledNotice words={await readersWords()} />;
}
