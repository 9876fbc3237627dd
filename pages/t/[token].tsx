import type { GetServerSideProps } from 'next';
import Head from 'next/head';
import { cardWords, tableWordsIn } from '@/components/diner/dictionaries';
import { CardNotice } from '@/components/diner/ordering/card/card-notice';
import { CardScreen } from '@/components/diner/ordering/card/card-screen';
import { noteOf, pricesOf } from '@/components/diner/ordering/menu-texts';
import type { PriceNote } from '@/components/diner/price-note';
import {
  type CardWords,
  type DinerLanguage,
  dinerLanguage,
  fillText,
  languageCookie,
  requestedLanguage,
  type TableWords,
} from '@/components/diner/words';
import { keptLanguage } from '@/components/keep-language';
import type { CardPage, MenuOfTable } from '@/server/domain/floor';
import { getCardPage } from '@/server/domain/floor/card-page';
import { getServices } from '@/server/environment/services';
import { addressFromFrontDoor } from '@/server/limits/client-address';

type Props = { title: string; language: DinerLanguage } & (
  | { page: null; text: string }
  | {
      page: MenuOfTable;
      token: string;
      priceNote: PriceNote;
      prices: Record<number, string>;
      words: TableWords;
      cardWords: CardWords;
    }
);

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, params }) => {
  const token = String(params?.token);
  const chosen = keptLanguage((name) => req.cookies[name], languageCookie);
  const reader = { chosen, acceptLanguage: req.headers['accept-language'] };
  const visit = { token, client: addressFromFrontDoor(req.headers['x-forwarded-for']) };
  const page = await getCardPage(getServices(), visit, requestedLanguage(reader));
  // Not cached, because the next bill has another page and the merchant may come back.
  res.setHeader('cache-control', 'private, no-store');
  if (page.state === 'bill') return { redirect: { destination: page.path, statusCode: 302 } };
  if (page.state === 'moved') return { redirect: { destination: `${page.origin}/t/${token}`, statusCode: 307 } };
  if (page.state !== 'menu') return { props: notice(page, reader, res) };
  const language = dinerLanguage(reader, page.merchant.locale);
  const words = tableWordsIn(language, page.merchant.country);
  return {
    props: {
      title: `${page.store.name} · ${words.table} ${page.table}`,
      page,
      token,
      language,
      words,
      priceNote: noteOf(page, language),
      prices: pricesOf(page),
      cardWords: cardWords[language],
    },
  };
};

type Elsewhere = Extract<CardPage, { state: 'closed' | 'unknown' }>;

function notice(
  page: Elsewhere,
  reader: Parameters<typeof dinerLanguage>[0],
  res: Parameters<GetServerSideProps>[0]['res'],
): Props {
  const isClosed = page.state === 'closed';
  res.statusCode = isClosed ? 410 : page.retryAfterSeconds === null ? 404 : 429;
  if (!isClosed && page.retryAfterSeconds !== null) res.setHeader('retry-after', page.retryAfterSeconds);
  const language = dinerLanguage(reader, isClosed ? page.locale : undefined);
  const words = cardWords[language];
  return isClosed
    ? {
        page: null,
        language,
        title: fillText(words.closedTitle, { merchant: page.merchantName }),
        text: words.closedWhy,
      }
    : { page: null, language, title: words.unknownTitle, text: words.unknownWhy };
}

/** The page of a table's permanent card: leads to the open bill, or shows the menu. */
export default function CardRoute({ title, ...props }: Props) {
  return (
    <>
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      </Head>
      {props.page ? <CardScreen {...props} /> : <CardNotice title={title} text={props.text} />}
    </>
  );
}
