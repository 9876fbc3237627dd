import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { en } from '../../messages/en';
import { useBoundsText } from './option-bounds';

test.each([
  [1, 1, 'Exactly 1'],
  [2, 2, 'Exactly 2'],
  [0, 1, 'Up to 1'],
  [0, 3, 'Up to 3'],
  [1, 2, '1 to 2'],
])('from %i to %i: %s', (minimum, maximum, text) => {
  const Shown = () => useBoundsText()({ minimum, maximum });
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={en}>
      <Shown />
    </NextIntlClientProvider>,
  );
  expect(shown).toBe(text);
});
