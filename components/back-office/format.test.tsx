/** Amounts as the screens show them. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useFormat } from './format';
import { type OfficeFacts, OfficeProvider } from './office';

type Format = ReturnType<typeof useFormat>;

function shown(currency: string, show: (format: Format) => string): string {
  const Shown = () => show(useFormat());
  const facts = { merchant: { currency } } as OfficeFacts;
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en-SG" timeZone="UTC" messages={{}}>
      <OfficeProvider facts={facts}>
        <Shown />
      </OfficeProvider>
    </NextIntlClientProvider>,
  );
}

test('nothing has no sign', () => {
  expect(shown('SGD', ({ money }) => money(-0))).toBe('$0.00');
  expect(shown('SGD', ({ money }) => money(-150))).toBe('-$1.50');
});

test.each([
  ['JPY', [0, 2_500, 7_500, 1_500_000], ['¥0', '¥2.5K', '¥7.5K', '¥1.5M']],
  ['SGD', [0, 250_000, 1_250_000], ['$0', '$2.5K', '$12.5K']],
])("the ticks of a chart's axis in %s say how much they stand for", (currency, amounts, ticks) => {
  expect(amounts.map((amount) => shown(currency, ({ moneyShort }) => moneyShort(amount)))).toEqual(ticks);
});
