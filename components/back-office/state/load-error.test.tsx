/** The message shown instead of data that could not be loaded. */
import { TRPCClientError } from '@trpc/client';
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages } from '@/components/messages/messages';
import { LoadError } from './load-error';

function textOf(code: string): string {
  const data = { code, httpStatus: 400, reason: null, details: {}, issues: [] };
  const shape = { message: 'Check the highlighted fields.', code: -32_600, data };
  const page = renderToStaticMarkup(
    <NextIntlClientProvider locale="en-SG" timeZone="UTC" messages={messages.en}>
      <LoadError error={TRPCClientError.from({ error: shape })} onRetry={() => {}} />
    </NextIntlClientProvider>,
  );
  return page.replace(/<[^>]*>/g, ' ');
}

test.each(['NOT_FOUND', 'BAD_REQUEST'])('%s: says that nothing is at this address, and offers no retry', (code) => {
  expect(textOf(code)).toContain(messages.en.common.notFoundTitle);
  expect(textOf(code)).not.toMatch(/filled in|Try again/);
});

test('offers a retry for other errors', () => {
  expect(textOf('INTERNAL_SERVER_ERROR')).toMatch(/couldn’t be loaded.*Try again/);
});
