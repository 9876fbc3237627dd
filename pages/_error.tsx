import type { NextPageContext } from 'next';
import Head from 'next/head';
import { dinerLanguage, languageCookie } from '@/components/diner/words';
import { keptLanguage } from '@/components/keep-language';
import { failureWords, languageOfFailure } from '@/components/site/failure-words';
import type { Language } from '@/server/domain/kernel/context';

/** Replaces a page that failed on the server or in the browser. */
export default function ErrorPage({ language }: { language: Language }) {
  const t = failureWords[language];
  return (
    <main className="m-auto max-w-md px-5 py-16">
      <Head>
        <title>{t.title}</title>
      </Head>
      <h1 className="text-3xl font-semibold tracking-[-0.03em]">{t.title}</h1>
      <p className="mt-4 text-lg leading-relaxed text-muted">{t.tableText}</p>
    </main>
  );
}

ErrorPage.getInitialProps = ({ req }: Pick<NextPageContext, 'req'>): { language: Language } => {
  if (!req) return { language: languageOfFailure() };
  const { cookie = '' } = req.headers;
  const chosen = keptLanguage((name) => cookie.match(new RegExp(`(?:^|; )${name}=(\\w+)`))?.[1], languageCookie);
  return { language: dinerLanguage({ chosen, acceptLanguage: req.headers['accept-language'] }) };
};
