import type { Method } from '@/server/rest/endpoints';

/** The deployment that the samples call. */
export interface Target {
  origin: string;
  /** A placeholder. */
  apiKey: string;
}

export interface SampleRequest {
  method: Method;
  /** Below `/api/v1`, with its query. */
  path: string;
  body?: object | undefined;
}

/** How samples are written in a language. */
export interface Language {
  /** What the steps of a guide use: values, `call`, which sends and prints, and `value`, which picks a field of an answer. */
  setUp(target: Target): string;
  /** A request of a guide, after its set-up. Later steps use the field `kept` of the answer. */
  step(request: SampleRequest, kept?: string): string;
  /** A request that runs alone. */
  whole(request: SampleRequest, target: Target): string;
}

/** A value of the set-up within a text. */
export interface Variable {
  name: string;
  /** True in an address, for a value that has to be escaped there. */
  isEscaped: boolean;
}

const mark = /\uE000(\+?)(\w+)\uE001/;

/** Stands for a value of the set-up in the path and the body of a step, which may be cut and put together as other text. */
export const markOf = ({ name, isEscaped }: Variable): string => `\uE000${isEscaped ? '+' : ''}${name}\uE001`;

/** Replaces texts and values of the set-up, each by its own function. */
export function replaceParts<T>(text: string, ofText: (text: string) => T, ofValue: (variable: Variable) => T): T[] {
  const pieces = text.split(new RegExp(mark, 'g'));
  const parts: T[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    if (pieces[at]) parts.push(ofText(pieces[at] ?? ''));
    const name = pieces[at + 2];
    if (name !== undefined) parts.push(ofValue({ name, isEscaped: pieces[at + 1] === '+' }));
  }
  return parts;
}

/** Returns the value's name if the text is that value and no more. */
export const onlyValue = (text: string): string | undefined => new RegExp(`^${mark.source}$`).exec(text)?.[2];

export const hasValues = (text: string): boolean => mark.test(text);

export const indent = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

export const asJson = (body: object): string => JSON.stringify(body, null, 2);
