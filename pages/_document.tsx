import Document, { type DocumentContext, type DocumentInitialProps, Html, Main, NextScript } from 'next/document';
import { brandSheetPath } from '@/components/diner/brand-sheet';
import { earlyScript } from '@/components/diner/ordering/early-script';
import { keepPageScript } from '@/components/diner/ordering/keep-page-script';
import { PaintFirstHead } from '@/components/diner/ordering/paint-first-head';
import type { OpenTable } from '@/server/domain/qr-ordering';

interface Props extends DocumentInitialProps {
  nonce: string | undefined;
}

/**
 * Stores the table before the page is usable, so that the account's page can link back to the menu. On a phone that has
 * ordered here, or that has a filter, marks the document, so that the right strips of dishes are above the menu from
 * the first paint.
 */
const rememberTable = ({ merchantId, offers }: OpenTable) =>
  `try {
    const marks = document.documentElement.classList;
    localStorage.setItem(${JSON.stringify(`table:${merchantId}`)}, location.pathname);
    if (localStorage.getItem(${JSON.stringify(`ordered:${merchantId}`)})) marks.add('has-ordered');
    if (${offers.filtersDiets} && localStorage.getItem('menu-filter')) marks.add('has-filter');
  } catch {};`;

/** In development, a file's name stays the same when its content changes, so no page is kept. */
const scripts = earlyScript + (process.env.NODE_ENV === 'production' ? keepPageScript : '');

/** The document of a page: in its language, with the scripts that the request's policy allows. */
export default class TableDocument extends Document<Props> {
  static override async getInitialProps(context: DocumentContext): Promise<Props> {
    const policy = context.req?.headers['content-security-policy'];
    const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1];
    return { ...(await Document.getInitialProps(context)), nonce };
  }

  override render() {
    const { nonce, __NEXT_DATA__ } = this.props;
    const { language = 'en', page } = __NEXT_DATA__.props.pageProps ?? {};
    return (
      <Html lang={language}>
        <PaintFirstHead nonce={nonce}>
          <meta name="robots" content="noindex, nofollow" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8faf8" />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b130f" />
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
          {page?.merchant?.accentColour ? (
            <link rel="stylesheet" href={brandSheetPath(page.merchant.accentColour)} />
          ) : null}
          {page?.state === 'open' ? (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: an id of ours, and a script of ours
            <script nonce={nonce} dangerouslySetInnerHTML={{ __html: rememberTable(page) + scripts }} />
          ) : null}
          {page?.state === 'menu' ? (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours
            <script nonce={nonce} dangerouslySetInnerHTML={{ __html: earlyScript }} />
          ) : null}
        </PaintFirstHead>
        <body>
          <Main />
          <NextScript nonce={nonce} />
        </body>
      </Html>
    );
  }
}
