import { formatMoneyIn } from '@/server/domain/kernel/money';
import { regionFor } from '@/server/domain/kernel/region';
import { timeFormat } from '../time-format';
import type { DinerLanguage, LoyaltyWords } from '../words';

/** The merchant, as an account page needs it. */
export interface LoyaltyMerchant {
  id: string;
  name: string;
  locale: string;
  currency: string;
  timeZone: string;
}

/** The texts and formats of an account page. */
export interface Speech {
  words: LoyaltyWords;
  language: DinerLanguage;
  /** From minor units, in the merchant's format. */
  money: (amountMinor: number) => string;
  count: (value: number) => string;
  /** A day in the merchant's time zone. */
  day: (at: Date | string) => string;
  /** `in 15 minutes`: rounded up, so that it is never too early. */
  when: (seconds: number) => string;
}

export function speechOf(merchant: LoyaltyMerchant, language: DinerLanguage, words: LoyaltyWords): Speech {
  const { locale, currency } = merchant;
  // Japanese dates should read 2026年11月4日, but the medium style gives 2026/11/04.
  const days = timeFormat(merchant, language, { dateStyle: language === 'ja' ? 'long' : 'medium' });
  const numbers = new Intl.NumberFormat(regionFor(locale, language));
  const relative = new Intl.RelativeTimeFormat(language);
  return {
    words,
    language,
    money: (amountMinor) => formatMoneyIn(locale, amountMinor, currency),
    count: (value) => numbers.format(value),
    day: (at) => days.format(new Date(at)),
    when(seconds) {
      if (seconds < 60) return relative.format(Math.ceil(seconds), 'second');
      if (seconds < 60 * 60) return relative.format(Math.ceil(seconds / 60), 'minute');
      return relative.format(Math.ceil(seconds / 3600), 'hour');
    },
  };
}
