import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Menu } from '@/components/ordering/menu';
import { TableFooter } from '@/components/ordering/table-footer';
import { TableHeader } from '@/components/ordering/table-header';
import { wordsFor } from '@/components/ordering/words';
import { formatMoneyIn } from '@/server/domain/core/money';
import { loadTable, readersLanguage } from './load-table';

interface TablePageProps {
  params: Promise<{ token: string }>;
}

// Whoever has the address can order on the bill: no search engine and no other site may learn it.
const secrecy: Metadata = { robots: { index: false, follow: false }, referrer: 'no-referrer', description: null };

export async function generateMetadata({ params }: TablePageProps): Promise<Metadata> {
  const found = await loadTable((await params).token);
  if (!found) return { ...secrecy, title: { absolute: wordsFor(await readersLanguage()).settledTitle } };
  const { merchant, store, table } = found;
  const title = table === null ? store.name : `${store.name} · ${wordsFor(merchant.locale).table} ${table}`;
  return { ...secrecy, title: { absolute: title } };
}

/** As for an amount of them: `Singapore dollars`, `円`. */
function currencyName(locale: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** What a diner sees who has scanned the table's code. */
export default async function TablePage({ params }: TablePageProps) {
  const found = await loadTable((await params).token);
  if (!found) notFound();
  const { merchant, store, table } = found;
  const { locale, currency } = merchant;
  const words = wordsFor(locale);
  const categories = found.categories.map(({ name, items }) => ({
    name,
    items: items.map((item) => ({ ...item, price: formatMoneyIn(locale, item.price, currency) })),
  }));
  return (
    <>
      <TableHeader merchantName={merchant.name} storeName={store.name} table={table} words={words} />
      <Menu categories={categories} words={words} />
      <TableFooter pricesIn={words.pricesIn(currencyName(locale, currency))} />
    </>
  );
}
