/**
 * What the domain says to people travels as a key and the values of its gaps. It becomes words only where it is read.
 */
import type { sentences } from './sentences';

export type SentenceKey = keyof typeof sentences;

/** In minor units. */
interface Amount {
  minor: number;
  currency: string;
}
/** The value of a gap. A sentence can quote another one. */
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

/** A text that is not translated, because someone else wrote it or only integrators read it. */
export const verbatim = (text: string): Sentence => say('verbatim', { text });

/** A sentence as `describeFailure` reads it from a zod schema. */
export interface Problem {
  message: SentenceKey;
  params: Record<string, Value>;
}

export const problem = <Key extends SentenceKey>(key: Key, ...[values]: ValuesOf<Key>): Problem => ({
  message: key,
  params: values ?? {},
});
