import { expect, test } from 'vitest';
import { taxNamer } from './tax-name';

test.each([
  ['en', 10, 'GST 10%'],
  ['ja', 8, 'GST 8%'],
  ['zh', 5.5, 'GST 5.5%'],
  ['ms', null, 'GST'],
])('in %s, a rate of %s', (language, rate, name) => {
  expect(taxNamer('GST', language)(rate)).toBe(name);
});
