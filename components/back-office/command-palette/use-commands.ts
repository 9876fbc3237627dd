import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useCustomerSearch } from '../lists/use-customer-search';
import { useIsRole } from '../office/office';
import { useSections } from '../office/sections';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useTransactionWords } from '../transactions/transaction-words';

export interface Command {
  href: string;
  label: string;
  /** Distinguishes commands with the same label. */
  detail?: string | null;
}

export interface CommandGroup {
  label: string;
  items: Command[];
}

const maxResults = 5;
const debounceMs = 200;

/** Finds screens, stores, customers, transactions and menu items for the typed text, as far as the person's role allows. */
export function useCommands(text: string): { groups: CommandGroup[]; isSearching: boolean } {
  const t = useTranslations('commandPalette');
  const search = useDebounced(text.trim());
  const screens = useScreens(text.trim());
  const stores = useStores(text.trim());
  const customers = useCustomers(search);
  const transactions = useTransactions(search);
  const menuItems = useMenuItems(search);
  const groups = [
    { label: t('screens'), items: screens },
    { label: t('customers'), items: customers.found },
    { label: t('transactions'), items: transactions.found },
    { label: t('menuItems'), items: menuItems.found },
    { label: t('stores'), items: stores },
  ].filter(({ items }) => items.length > 0);
  const isSearching = search !== text.trim() || customers.isFetching || transactions.isFetching || menuItems.isFetching;
  return { groups, isSearching };
}

/** Returns the text once typing pauses. */
function useDebounced(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** In scripts without spaces between words, any part of a text matches. */
const isWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** True if one of the words begins with the text, so that “late” does not find “templates”. */
export function startsWord(words: string, text: string): boolean {
  return isWithoutSpaces.test(text) ? includesText(words, text) : includesText(` ${words}`, ` ${text}`);
}

const includesText = (label: string, text: string) => label.toLocaleLowerCase().includes(text.toLocaleLowerCase());

/** Finds screens by their names first, then by words for what is done there. */
function useScreens(text: string): Command[] {
  const t = useTranslations('shell');
  const tPalette = useTranslations('commandPalette');
  const tAccount = useTranslations('account');
  const tSettings = useTranslations('settings');
  const sections = useSections().flatMap((group) => group.sections);
  const screens = [
    ...sections.map(({ href, name }) => ({
      href,
      label: t(name),
      others: tPalette(`alsoFor.${name}`),
    })),
    { href: '/account', label: tAccount('title'), others: tPalette('alsoFor.account') },
    {
      href: '/settings?section=limits',
      label: `${t('settings')} – ${tSettings('tabs.limits')}`,
      others: tPalette('alsoFor.limits'),
    },
  ];
  const byName = screens.filter(({ label }) => includesText(label, text));
  const byOther = screens.flatMap(({ href, label, others }): Command[] => {
    const detail = others.split(/, |、/).find((words) => startsWord(words, text));
    return detail && !includesText(label, text) ? [{ href, label, detail }] : [];
  });
  return [...byName.map(({ href, label }) => ({ href, label })), ...byOther];
}

function useMenuItems(search: string): { found: Command[]; isFetching: boolean } {
  const { money } = useFormat();
  const enabled = search.length >= 2;
  const { data, isFetching } = useQuery(
    useTRPC().menu.searchItems.queryOptions({ search, limit: maxResults }, { enabled }),
  );
  const found = (enabled ? (data?.items ?? []) : []).map(({ itemId, name, price }) => ({
    href: `/menu/items/${itemId}`,
    label: name,
    detail: money(price),
  }));
  return { found, isFetching };
}

/** A store's transactions. */
function useStores(text: string): Command[] {
  const t = useTranslations('commandPalette');
  const trpc = useTRPC();
  const enabled = useIsRole('owner', 'manager') && text !== '';
  const { data } = useQuery(trpc.stores.list.queryOptions(undefined, { enabled }));
  if (!enabled) return [];
  return (data?.stores ?? [])
    .filter(({ name, storeCode }) => includesText(name, text) || includesText(storeCode, text))
    .slice(0, maxResults)
    .map(({ storeId, name }) => ({ href: `/transactions?storeId=${storeId}`, label: name, detail: t('ofStore') }));
}

function useCustomers(search: string): { found: Command[]; isFetching: boolean } {
  const { found, isFetching } = useCustomerSearch(search, { limit: maxResults, enabled: search.length >= 2 });
  const commands = found.map(({ customerId, name, phone, email }) => ({
    href: `/customers/${customerId}`,
    label: name || (phone ?? email ?? ''),
    detail: phone ?? email,
  }));
  return { found: commands, isFetching };
}

function useTransactions(search: string): { found: Command[]; isFetching: boolean } {
  const trpc = useTRPC();
  const words = useTransactionWords();
  // An id has no spaces.
  const enabled = /^\S{3,64}$/.test(search);
  const input = { search, limit: maxResults };
  const { data, isFetching } = useQuery(trpc.transactions.list.queryOptions(input, { enabled }));
  const found = (enabled ? (data?.items ?? []) : []).map((one) => ({
    href: `/transactions/${one.uid}`,
    label: one.transactionId ?? words.type(one.type),
    detail: [words.type(one.type), words.amount(one) ?? words.balance(one)].filter(Boolean).join(' · '),
  }));
  return { found, isFetching };
}
