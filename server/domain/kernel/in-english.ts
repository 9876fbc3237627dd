import { formatMoney } from './money';
import type { Sentence, Value } from './say';
import { sentences } from './sentences';

/** The sentence in English, for the API and the log. */
export const inEnglish = ({ key, values }: Sentence): string =>
  sentences[key].replace(/\{(\w+)\}/g, (_, gap: string) => write(values[gap]));

function write(value: Value | undefined): string {
  if (typeof value !== 'object') return String(value);
  return 'key' in value ? inEnglish(value) : formatMoney(value.minor, value.currency);
}
