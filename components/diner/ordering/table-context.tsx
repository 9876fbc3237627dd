import { createContext, useContext } from 'react';
import { formatMoneyIn } from '@/server/domain/kernel/money';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { PriceNote } from '../price-note';
import { timeFormat } from '../time-format';
import type { DinerLanguage, TableWords } from '../words';

interface TableSpeech {
  words: TableWords;
  language: DinerLanguage;
  priceNote: PriceNote;
  place: Pick<OpenTable, 'merchant' | 'store'>;
  /** From minor units, in the merchant's format. */
  money: (amountMinor: number) => string;
  /** The time of day of an instant, in the merchant's time zone. */
  time: (instant: string) => string;
}

const context = createContext<TableSpeech | null>(null);
export const TableSpeechProvider = context.Provider;

/** The texts and formats of the table's page. */
export function useSpeech(): TableSpeech {
  const speech = useContext(context);
  if (!speech) throw new Error('outside of a table’s page');
  return speech;
}

/** Formats amounts. Those that the server has formatted come from `known`, because Intl is slow on a slow phone. */
export const moneyOf =
  ({ locale, currency }: { locale: string; currency: string }, known: Readonly<Record<number, string>>) =>
  (amountMinor: number) =>
    known[amountMinor] ?? formatMoneyIn(locale, amountMinor, currency);

export const timeOf = (merchant: { locale: string; timeZone: string }, language: string) => {
  let format: Intl.DateTimeFormat | undefined;
  return (instant: string) => {
    format ??= timeFormat(merchant, language, { timeStyle: 'short' });
    return format.format(new Date(instant));
  };
};

/** An amount with the server's text, because browsers format amounts with different spaces and signs. */
export function Price({ amount, className }: { amount: number; className?: string }) {
  const { money } = useSpeech();
  return (
    <span className={className} suppressHydrationWarning>
      {money(amount)}
    </span>
  );
}
