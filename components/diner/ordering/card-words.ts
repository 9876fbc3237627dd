/** The texts of a printed card, in the language of the merchant's diners. */
interface CardWords {
  table: string;
  scanToOrder: string;
  scanForMenu: string;
  scanHelp: string;
}

const english: CardWords = {
  table: 'Table',
  scanToOrder: 'Scan to order',
  scanForMenu: 'Scan to see the menu and order',
  scanHelp: 'Point your phone’s camera at the code and follow the link.',
};

const wordsByLanguage: Record<string, CardWords> = {
  en: english,
  zh: {
    table: '桌号',
    scanToOrder: '扫码点餐',
    scanForMenu: '扫码看菜单并点餐',
    scanHelp: '用手机相机对准二维码，然后打开链接。',
  },
  ja: {
    table: 'テーブル',
    scanToOrder: 'スキャンして注文',
    scanForMenu: 'スキャンしてメニューを見て注文',
    scanHelp: 'スマートフォンのカメラをコードに向け、表示されたリンクを開いてください。',
  },
  ms: {
    table: 'Meja',
    scanToOrder: 'Imbas untuk memesan',
    scanForMenu: 'Imbas untuk menu dan pesanan',
    scanHelp: 'Halakan kamera telefon anda pada kod dan buka pautannya.',
  },
};

/** Returns the texts for a locale (BCP 47), or English for an unsupported language. */
export function cardWordsFor(locale: string): CardWords {
  return wordsByLanguage[locale.split('-')[0] ?? ''] ?? english;
}
