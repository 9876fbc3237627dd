import { withEnglish, withoutTranslation } from '@/server/domain/kernel/texts';
import type { BillWords, CardWords, DinerLanguage, LoyaltyWords, PricesWords, TableWords, TopUpWords } from './words';
import enBill from './words/en/bill.json';
import enCard from './words/en/card.json';
import enLoyalty from './words/en/loyalty.json';
import enPrices from './words/en/prices.json';
import enTable from './words/en/table.json';
import enTopUp from './words/en/top-up.json';
import jaBill from './words/ja/bill.json';
import jaCard from './words/ja/card.json';
import jaLoyalty from './words/ja/loyalty.json';
import jaPrices from './words/ja/prices.json';
import jaTable from './words/ja/table.json';
import jaTopUp from './words/ja/top-up.json';
import msBill from './words/ms/bill.json';
import msCard from './words/ms/card.json';
import msLoyalty from './words/ms/loyalty.json';
import msPrices from './words/ms/prices.json';
import msTable from './words/ms/table.json';
import msTopUp from './words/ms/top-up.json';
import zhBill from './words/zh/bill.json';
import zhCard from './words/zh/card.json';
import zhLoyalty from './words/zh/loyalty.json';
import zhPrices from './words/zh/prices.json';
import zhTable from './words/zh/table.json';
import zhTopUp from './words/zh/top-up.json';

/** All texts, for the server only. It passes on only those in the reader's language. */
export const tableWords: Record<DinerLanguage, TableWords> = withEnglish(enTable, {
  zh: zhTable,
  ja: jaTable,
  ms: msTable,
});
const billWords = { en: enBill, zh: zhBill, ja: jaBill, ms: msBill };

/** Japan's law names wheat, shrimp and crab. So on a menu there, gluten and crustaceans are called by these names. */
export function tableWordsIn(language: DinerLanguage, country: string | undefined): TableWords {
  const words = withBill(tableWords[language], withoutTranslation(enBill, billWords[language]));
  return country === 'JP' ? { ...words, gluten: words.wheat, crustaceans: words.shrimpAndCrab } : words;
}

/** Adds nothing to the page if everything is translated. */
const withBill = (words: TableWords, untranslatedBill: Partial<BillWords>): TableWords =>
  Object.keys(untranslatedBill).length > 0 ? { ...words, untranslatedBill } : words;

export const cardWords: Record<DinerLanguage, CardWords> = withEnglish(enCard, { zh: zhCard, ja: jaCard, ms: msCard });

export const loyaltyWords: Record<DinerLanguage, LoyaltyWords> = withEnglish(enLoyalty, {
  zh: zhLoyalty,
  ja: jaLoyalty,
  ms: msLoyalty,
});
export const topUpWords: Record<DinerLanguage, TopUpWords> = withEnglish(enTopUp, {
  zh: zhTopUp,
  ja: jaTopUp,
  ms: msTopUp,
});
export const pricesWords: Record<DinerLanguage, PricesWords> = withEnglish(enPrices, {
  zh: zhPrices,
  ja: jaPrices,
  ms: msPrices,
});
