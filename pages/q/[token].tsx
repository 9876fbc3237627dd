import type { GetServerSideProps } from 'next';
import Head from 'next/head';
import { tableWords } from '@/components/diner/dictionaries';
import { TableScreen } from '@/components/diner/ordering/table-screen';
import {
  type DinerLanguage,
  dinerLanguage,
  fill,
  languageCookie,
  requestedLanguage,
  type TableWords,
} from '@/components/diner/words';
import { formatMoneyIn } from '@/server/domain/kernel/money';
import type { OpenTable, TablePage } from '@/server/domain/qr-ordering';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';
import { addressFromFrontDoor } from '@/server/limits/client-address';
import { getServices } from '@/server/process/services';

interface Props {
  token: string;
  page: TablePage;
  language: DinerLanguage;
  menuLanguage: DinerLanguage | null;
  currencyName: string;
  prices: Record<number, string>;
  words: TableWords;
}

/** The currency's name in the plural, as for an amount: `Singapore dollars`, `円`. */
function currencyNameIn(language: string, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The menu's amounts in the merchant's format. */
function pricesOf({ categories, merchant: { locale, currency } }: OpenTable): Record<number, string> {
  const prices = categories.flatMap(({ items }) => items.map(({ price }) => price));
  return Object.fromEntries(prices.map((price) => [price, formatMoneyIn(locale, price, currency)]));
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, params }) => {
  const token = String(params?.token);
  const reader = { chosen: req.cookies[languageCookie], acceptLanguage: req.headers['accept-language'] };
  const menuLanguage = requestedLanguage(reader);
  const visit = { token, client: addressFromFrontDoor(req.headers['x-forwarded-for']) };
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
      page,
      language,
      menuLanguage,
      currencyName: table ? currencyNameIn(language, table.merchant.currency) : '',
      prices: table ? pricesOf(table) : {},
      words: tableWords[language],
    },
  };
};

/** A table's page: the menu and its orders, or a notice that the bill is settled. */
export default function TableRoute(props: Props) {
  return (
    <>
      <Head>
        <title>{titleOf(props)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      </Head>
      <TableScreen {...props} />
    </>
  );
}

function titleOf({ page, words }: Props): string {
  if (page.state === 'settled') return fill(words.settledAt, { merchant: page.merchantName });
  if (page.state === 'unknown') return words.closedTitle;
  return page.table === null ? page.store.name : `${page.store.name} · ${words.table} ${page.table}`;
}
