/** What our own words on a diner's page say; the menu itself speaks for the merchant. */
export interface OrderingWords {
  table: string;
  categories: string;
  /** On a card to print. */
  scanTitle: string;
  scanHelp: string;
  howToOrder: string;
  soldOut: string;
  emptyMenu: string;
  pricesIn: (currency: string) => string;
  settledTitle: string;
  settledThanks: string;
  settledHelp: string;
  slipTitle: string;
  slipLines: [string, string];
  slipThanks: string;
}

const english: OrderingWords = {
  table: 'Table',
  categories: 'Menu categories',
  scanTitle: 'Scan for the menu',
  scanHelp: 'Point your phone’s camera at the code and follow the link.',
  howToOrder: 'Have a look through the menu. Our staff will be glad to take your order.',
  soldOut: 'Sold out',
  emptyMenu: 'The menu is not up yet. Our staff will tell you what there is today.',
  pricesIn: (currency) => `Prices in ${currency}`,
  settledTitle: 'This bill is settled',
  settledThanks: 'The page of this table has closed. Thank you for coming, and see you again.',
  settledHelp: 'Just sat down, or still ordering? Ask any of the staff for a new code.',
  slipTitle: 'Your table',
  slipLines: ['Bill', 'Still to pay'],
  slipThanks: 'Thank you',
};

const japanese: OrderingWords = {
  table: 'テーブル',
  categories: 'メニューの種類',
  scanTitle: 'スキャンしてメニューを見る',
  scanHelp: 'スマートフォンのカメラをコードに向け、表示されたリンクを開いてください。',
  howToOrder: 'メニューをご覧ください。ご注文はスタッフが承ります。',
  soldOut: '売り切れ',
  emptyMenu: 'メニューは準備中です。スタッフにお尋ねください。',
  pricesIn: (currency) => `表示価格：${currency}`,
  settledTitle: 'お会計が済みました',
  settledThanks: 'このテーブルのページは終了しました。ご来店ありがとうございました。',
  settledHelp: 'これからご注文の方は、スタッフに新しいコードをお申し付けください。',
  slipTitle: 'お会計',
  slipLines: ['伝票', 'お支払い残額'],
  slipThanks: 'ありがとうございました',
};

const wordsByLanguage: Record<string, OrderingWords> = { en: english, ja: japanese };

/** In a locale's language (BCP 47), or in English where we do not speak it. */
export function wordsFor(locale: string): OrderingWords {
  return wordsByLanguage[locale.split('-')[0] ?? ''] ?? english;
}

/** The first language of an `Accept-Language` header that we speak. */
export function spokenLanguage(acceptLanguage: string | null): string {
  const asked = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return asked.find((language) => Object.hasOwn(wordsByLanguage, language)) ?? 'en';
}
