import { createContext, useContext } from 'react';
import type { DinerClient } from '../../diner-client';
import type { BillWords } from '../../words';
import type { Guest } from '../guest';
import type { BillTable } from './record';

interface BillPage {
  words: BillWords;
  client: DinerClient;
  token: string;
  table: BillTable;
  /** This phone at the table. */
  guest: Guest;
}

const context = createContext<BillPage | null>(null);
export const BillPageProvider = context.Provider;

/** Shared by all parts of the bill's sheet. */
export function useBillPage(): BillPage {
  const page = useContext(context);
  if (!page) throw new Error('outside of a bill');
  return page;
}
