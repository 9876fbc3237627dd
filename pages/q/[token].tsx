import type { GetServerSideProps } from 'next';
import Head from 'next/head';
import { tableWords } from '@/components/diner/dictionaries';
import {
  askedLanguage,
  type DinerLanguage,
  dinerLanguage,
  fill,
  languageCookie,
  type TableWords,
} from '@/components/diner/words';
import { ClosedNotice } from '@/components/ordering/closed-notice';
import { TableScreen } from '@/components/ordering/table-screen';
import { clientAddress } from '@/server/auth/client-address';
import { getServices } from '@/server/database';
import { formatMoneyIn } from '@/server/domain/core/money';
import { getTablePage, type OpenTable } from '@/server/domain/qr-ordering/table-page';

interface Props {
  token: string;
  /** Null where nothing can be ordered. */
  table: OpenTable | null;
  /** Whose bill was settled; null also for what is nobody's. */
  merchantName: string | null;
  language: DinerLanguage;
  menuLanguage: DinerLanguage | null;
  currencyName: string;
  prices: Record<number, string>;
  words: TableWords;
}

/** As for an amount of them: `Singapore dollars`, `円`. */
function currencyNameIn(language: string, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The menu's amounts as the merchant writes them. */
function pricesOf({ categories, merchant: { locale, currency } }: OpenTable): Record<number, string> {
  const prices = categories.flatMap(({ items }) => items.map(({ price }) => price));
  return Object.fromEntries(prices.map((price) => [price, formatMoneyIn(locale, price, currency)]));
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, params }) => {
  const token = String(params?.token);
  const reader = { chosen: req.cookies[languageCookie], acceptLanguage: req.headers['accept-language'] };
  const menuLanguage = askedLanguage(reader);
  const visit = { token, client: clientAddress(req.headers['x-forwarded-for']) };
  const page = await getTablePage(getServices(), visit, menuLanguage);
  if (page.state === 'settled') res.statusCode = 410;
  if (page.state === 'unknown') {
    res.statusCode = page.retryAfterSeconds === null ? 404 : 429;
    if (page.retryAfterSeconds !== null) res.setHeader('retry-after', page.retryAfterSeconds);
  }
  const table = page.state === 'open' ? page : null;
  const locale = table?.merchant.locale ?? (page.state === 'settled' ? page.locale : undefined);
  const language = dinerLanguage(reader, locale);
  return {
    props: {
      token,
      table,
      merchantName: page.state === 'settled' ? page.merchantName : null,
      language,
      menuLanguage,
      currencyName: table ? currencyNameIn(language, table.merchant.currency) : '',
      prices: table ? pricesOf(table) : {},
      words: tableWords[language],
    },
  };
};

/** A table's page: the menu and its orders, or that the bill is settled. */
export default function TableRoute({ table, merchantName, ...rest }: Props) {
  const { words } = rest;
  return (
    <>
      <Head>
        <title>{table ? titleOf(table, words) : closedTitle(merchantName, words)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      </Head>
      {table ? <TableScreen {...rest} table={table} /> : <ClosedNotice words={words} merchantName={merchantName} />}
    </>
  );
}

const closedTitle = (merchantName: string | null, words: TableWords): string =>
  merchantName === null ? words.closedTitle : fill(words.settledAt, { merchant: merchantName });

const titleOf = ({ store, table }: OpenTable, words: TableWords): string =>
  table === null ? store.name : `${store.name} · ${words.table} ${table}`;
