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
  /** The hour at which a business day starts. */
  dayStartsAt: number;
}

/** The texts and formats of an account page. */
export interface Speech {
  words: LoyaltyWords;
  language: DinerLanguage;
  /** From minor units, in the merchant's format. */
  money: (amountMinor: number) => string;
  count: (value: number) => string;
  /** The date of a last day, from the instant at its end. */
  day: (at: Date | string) => string;
  /** The time of day of an instant. */
  time: (at: string) => string;
  /** `in 15 minutes`: rounded up, so that it is never too early. */
  when: (seconds: number) => string;
}

const hourMs = 3_600_000;

export function speechOf(merchant: LoyaltyMerchant, language: DinerLanguage, words: LoyaltyWords): Speech {
  const { locale, currency, dayStartsAt } = merchant;
  // Japanese dates should read 2026年11月4日, but the medium style gives 2026/11/04.
  const days = timeFormat(merchant, language, { dateStyle: language === 'ja' ? 'long' : 'medium' });
  const times = timeFormat(merchant, language, { timeStyle: 'short' });
  const numbers = new Intl.NumberFormat(regionFor(locale, language));
  const relative = new Intl.RelativeTimeFormat(language);
  return {
    words,
    language,
    money: (amountMinor) => formatMoneyIn(locale, amountMinor, currency),
    count: (value) => numbers.format(value),
    // The end is within the hour before the next day starts, on whichever side of a clock change.
    day: (at) => days.format(new Date(new Date(at).getTime() - (dayStartsAt > 0 ? dayStartsAt + 1 : 0) * hourMs)),
    time: (at) => times.format(new Date(at)),
    when(seconds) {
      if (seconds < 60) return relative.format(Math.ceil(seconds), 'second');
      if (seconds < 60 * 60) return relative.format(Math.ceil(seconds / 60), 'minute');
      return relative.format(Math.ceil(seconds / 3600), 'hour');
    },
  };
}
