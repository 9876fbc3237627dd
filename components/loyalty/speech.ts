import { regionFor } from '@/server/domain/core/calendar';
import { formatMoneyIn } from '@/server/domain/core/money';
import { timeFormat } from '../diner/time-format';
import type { DinerLanguage, LoyaltyWords } from '../diner/words';

/** What an account page knows of its merchant. */
export interface LoyaltyMerchant {
  id: string;
  name: string;
  locale: string;
  currency: string;
  timeZone: string;
}

/** How an account page speaks: its words, amounts and times. */
export interface Speech {
  words: LoyaltyWords;
  language: DinerLanguage;
  /** From minor units, as the merchant writes it. */
  money: (amountMinor: number) => string;
  count: (value: number) => string;
  /** A day in the merchant's time zone. */
  day: (at: Date | string) => string;
  /** `in 15 minutes`: rounded up, for nobody should come too early. */
  when: (seconds: number) => string;
}

export function speechOf(merchant: LoyaltyMerchant, language: DinerLanguage, words: LoyaltyWords): Speech {
  const { locale, currency } = merchant;
  const days = timeFormat(merchant, language, { dateStyle: 'medium' });
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
