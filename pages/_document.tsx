import Document, { type DocumentContext, type DocumentInitialProps, Head, Html, Main, NextScript } from 'next/document';

interface Props extends DocumentInitialProps {
  nonce: string | undefined;
}

/** The frame of a page: in its language, with scripts that the request's policy lets run. */
export default class TableDocument extends Document<Props> {
  static override async getInitialProps(context: DocumentContext): Promise<Props> {
    const policy = context.req?.headers['content-security-policy'];
    const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1];
    return { ...(await Document.getInitialProps(context)), nonce };
  }

  override render() {
    const { nonce, __NEXT_DATA__ } = this.props;
    return (
      <Html lang={__NEXT_DATA__.props.pageProps?.language ?? 'en'}>
        <Head nonce={nonce}>
          <meta name="robots" content="noindex, nofollow" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8faf8" />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b130f" />
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        </Head>
        <body>
          <Main />
          <NextScript nonce={nonce} />
        </body>
      </Html>
    );
  }
}
