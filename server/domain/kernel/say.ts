/** What is said to people travels by its key and what fills its gaps, and becomes words only where it is read. */
import type { sentences } from './sentences';

export type SentenceKey = keyof typeof sentences;

/** In minor units. */
interface Amount {
  minor: number;
  currency: string;
}
/** What fills a gap: a sentence where one quotes another. */
export type Value = string | number | Amount | Sentence;

export interface Sentence {
  key: SentenceKey;
  values: Record<string, Value>;
}

type GapsIn<Text> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | GapsIn<Rest> : never;
type Gaps<Key extends SentenceKey> = GapsIn<(typeof sentences)[Key]>;
type ValuesOf<Key extends SentenceKey> = [Gaps<Key>] extends [never] ? [] : [values: Record<Gaps<Key>, Value>];

export const say = <Key extends SentenceKey>(key: Key, ...[values]: ValuesOf<Key>): Sentence => ({
  key,
  values: values ?? {},
});

/** In words that are nobody's to translate: somebody else's, or those that integrators alone read. */
export const verbatim = (text: string): Sentence => say('verbatim', { text });

/** A sentence as zod takes it from a schema, for `describeFailure` to read. */
export interface Problem {
  message: SentenceKey;
  params: Record<string, Value>;
}

export const problem = <Key extends SentenceKey>(key: Key, ...[values]: ValuesOf<Key>): Problem => ({
  message: key,
  params: values ?? {},
});
