/** The pages that replace a failed page: in the reader's language, and without any part of the request. */
import type { IncomingMessage } from 'node:http';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import ErrorPage from '@/app/error';
import GlobalError from '@/app/global-error';
import TableErrorPage from '@/pages/_error';

afterEach(() => vi.unstubAllGlobals());

function readIn(lang: string, languages: string[]) {
  vi.stubGlobal('document', { documentElement: { lang } });
  vi.stubGlobal('navigator', { languages });
}

test.each([
  ['ja', ['en-US'], '問題が発生しました', '再試行'],
  ['', ['fr', 'zh-CN', 'en'], '出了点问题', '重试'],
  ['ms-MY', [], 'Ada masalah', 'Cuba lagi'],
  ['', ['fr'], 'Something went wrong', 'Try again'],
])('a page in “%s” that failed, for a reader of %j, says so: %s', (lang, languages, title, again) => {
  readIn(lang, languages);
  const error = Object.assign(new Error('relation "customers" does not exist'), { digest: '4711' });
  for (const Page of [ErrorPage, GlobalError]) {
    const shown = renderToStaticMarkup(<Page error={error} retry={() => {}} />);
    for (const text of [title, again, '4711']) expect(shown).toContain(text);
    expect(shown).not.toContain('relation');
    expect(shown).not.toContain('{code}');
  }
  expect(renderToStaticMarkup(<ErrorPage error={new Error()} retry={() => {}} />)).not.toContain('<code');
});

test('a table’s page that failed is in the language that the diner chose, else in the phone’s', () => {
  const shownFor = (headers: IncomingMessage['headers']) => {
    const props = TableErrorPage.getInitialProps({ req: { headers } as IncomingMessage });
    return renderToStaticMarkup(<TableErrorPage {...props} />);
  };
  expect(shownFor({ cookie: 'a=b; diner_language=ms', 'accept-language': 'ja' })).toContain('Ada masalah');
  expect(shownFor({ cookie: 'xdiner_language=ms', 'accept-language': 'ja,en' })).toContain('問題が発生しました');
  expect(shownFor({})).toContain('Something went wrong');
  readIn('zh', []);
  expect(TableErrorPage.getInitialProps({})).toEqual({ language: 'zh' });
});
