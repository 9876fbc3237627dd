import type { GetServerSideProps } from 'next';
import Head from 'next/head';
import { tableWords, tableWordsIn } from '@/components/diner/dictionaries';
import { closedTitle } from '@/components/diner/ordering/closed-notice';
import { noteOf, pricesOf } from '@/components/diner/ordering/menu-texts';
import { TableScreen } from '@/components/diner/ordering/table-screen';
import type { PriceNote } from '@/components/diner/price-note';
import {
  type DinerLanguage,
  dinerLanguage,
  languageCookie,
  requestedLanguage,
  type TableWords,
} from '@/components/diner/words';
import { keptLanguage } from '@/components/keep-language';
import { dinerCookieName } from '@/server/auth/diner-cookie';
import type { TablePage } from '@/server/domain/qr-ordering';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';
import { getServices } from '@/server/environment/services';
import { addressFromFrontDoor } from '@/server/limits/client-address';

interface Props {
  title: string;
  token: string;
  page: TablePage;
  language: DinerLanguage;
  menuLanguage: DinerLanguage | null;
  priceNote: PriceNote;
  prices: Record<number, string>;
  words: TableWords;
  hasSession: boolean;
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, params }) => {
  const token = String(params?.token);
  const chosen = keptLanguage((name) => req.cookies[name], languageCookie);
  const reader = { chosen, acceptLanguage: req.headers['accept-language'] };
  const menuLanguage = requestedLanguage(reader);
  const visit = { token, client: addressFromFrontDoor(req.headers['x-forwarded-for']) };
  const services = getServices();
  const page = await getTablePage(services, visit, menuLanguage);
  // Not cached, because the merchant may come back.
  if (page.state === 'moved') return { redirect: { destination: `${page.origin}/q/${token}`, statusCode: 307 } };
  if (page.state !== 'open') res.statusCode = 410;
  if (page.state === 'unknown') {
    res.statusCode = page.retryAfterSeconds === null ? 404 : 429;
    if (page.retryAfterSeconds !== null) res.setHeader('retry-after', page.retryAfterSeconds);
  }
  const table = page.state === 'open' ? page : null;
  const language = dinerLanguage(reader, 'locale' in page ? page.locale : table?.merchant.locale);
  return {
    props: {
      title: titleOf(page, tableWords[language]),
      token,
      page,
      language,
      menuLanguage,
      priceNote: table ? noteOf(table, language) : { text: null, subtotal: null },
      prices: table ? pricesOf(table) : {},
      words: tableWordsIn(language, table?.merchant.country),
      hasSession: table !== null && Boolean(req.cookies[dinerCookieName(services.publicOrigin, table.merchantId)]),
    },
  };
};

/** A table's page: the menu and its orders, or a notice that the code takes no orders. */
export default function TableRoute({ title, ...screen }: Props) {
  return (
    <>
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      </Head>
      <TableScreen {...screen} />
    </>
  );
}

function titleOf(page: TablePage, words: TableWords): string {
  if (page.state !== 'open') return closedTitle(page, words);
  return page.table === null ? page.store.name : `${page.store.name} · ${words.table} ${page.table}`;
}
