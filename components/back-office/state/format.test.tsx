import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { useFormat } from './format';

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

test('zero has no sign', () => {
  expect(shown('SGD', ({ money }) => money(-0))).toBe('$0.00');
  expect(shown('SGD', ({ money }) => money(-150))).toBe('−$1.50');
});

test.each([
  ['SGD', [1_250, 0, -1_250], ['+$12.50', '$0.00', '−$12.50']],
  ['JPY', [1_250, -1_250], ['+¥1,250', '−¥1,250']],
])('a movement in %s says which way it went', (currency, amounts, texts) => {
  expect(amounts.map((amount) => shown(currency, ({ movement }) => movement(amount)))).toEqual(texts);
});

test.each([
  [10_000, '100%'],
  [1_250, '12.5%'],
  [1_025, '10.25%'],
  [0, '0%'],
])('%i hundredths of a percent are %s', (basisPoints, text) => {
  expect(shown('SGD', ({ percent }) => percent(basisPoints))).toBe(text);
});

test.each([
  ['JPY', [0, 2_500, 7_500, 1_500_000], ['¥0', '¥2.5K', '¥7.5K', '¥1.5M']],
  ['SGD', [0, 250_000, 1_250_000], ['$0', '$2.5K', '$12.5K']],
])("the ticks of a chart's axis in %s say how much they stand for", (currency, amounts, ticks) => {
  expect(amounts.map((amount) => shown(currency, ({ moneyShort }) => moneyShort(amount)))).toEqual(ticks);
});
