import { createContext, useContext } from 'react';
import { formatMoneyIn } from '@/server/domain/core/money';
import type { TableWords } from '../diner/words';

interface TableSpeech {
  words: TableWords;
  /** From minor units, as the merchant writes it. */
  money: (amountMinor: number) => string;
}

const context = createContext<TableSpeech | null>(null);
export const TableSpeechProvider = context.Provider;

/** How the table's page speaks: its words, and its amounts. */
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

/** An amount. Browsers differ in the spaces and signs that they set: what the server wrote stays. */
export function Price({ amount, className }: { amount: number; className?: string }) {
  const { money } = useSpeech();
  return (
    <span className={className} suppressHydrationWarning>
      {money(amount)}
    </span>
  );
}
