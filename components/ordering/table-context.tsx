import { createContext, useContext } from 'react';
import { formatMoneyIn } from '@/server/domain/core/money';
import { timeFormat } from '../diner/time-format';
import type { DinerLanguage, TableWords } from '../diner/words';

interface TableSpeech {
  words: TableWords;
  language: DinerLanguage;
  /** From minor units, as the merchant writes it. */
  money: (amountMinor: number) => string;
  /** An instant's time of day where the merchant is. */
  time: (instant: string) => string;
}

const context = createContext<TableSpeech | null>(null);
export const TableSpeechProvider = context.Provider;

/** How the table's page speaks: its words, amounts and times. */
export function useSpeech(): TableSpeech {
  const speech = useContext(context);
  if (!speech) throw new Error('outside of a table’s page');
  return speech;
}

/** Those that the server has formatted already are taken from `known`: on a slow phone, Intl is what takes longest. */
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

/** An amount. Browsers differ in the spaces and signs that they set: what the server wrote stays. */
export function Price({ amount, className }: { amount: number; className?: string }) {
  const { money } = useSpeech();
  return (
    <span className={className} suppressHydrationWarning>
      {money(amount)}
    </span>
  );
}
