import { isUtf8 } from 'node:buffer';
import { DomainError, invalid } from '@/server/domain/kernel/errors';
import { say, verbatim } from '@/server/domain/kernel/say';

export const maxBodyBytes = 1024 * 1024;

export function bodyTooLarge(): DomainError {
  return new DomainError('invalid_request', verbatim('The body is larger than 1 MiB.'), { maxBytes: maxBodyBytes }, [
    { path: '', sentence: verbatim('the body is larger than 1 MiB') },
  ]);
}

/** .NET writes it before UTF-8, and viewers do not show it. */
const byteOrderMark = /^\uFEFF/;

/** Parses a request's body, which must be a JSON object. Errors: `invalid_request`. */
export function parseBody(contentType: string | undefined, body: Buffer): Record<string, unknown> {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw invalid('', verbatim('the header Content-Type must be application/json'));
  if (!isUtf8(body)) throw invalid('', verbatim('the body must be UTF-8, and not compressed'));
  const text = body.toString('utf8').replace(byteOrderMark, '');
  if (text.trim() === '') throw invalid('', verbatim('the body is empty'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('', verbatim('the body is not valid JSON'));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('', verbatim('the body must be a JSON object'));
  // zod silently skips this key, and none of our fields has this name.
  if (mayHoldProto.test(text)) rejectProto(value as Record<string, unknown>);
  return value as Record<string, unknown>;
}

const mayHoldProto = /__proto__|\\u00[567]/i;

function rejectProto(root: Record<string, unknown>): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object') continue;
    if (Object.hasOwn(value, '__proto__')) throw invalid('__proto__', say('unknownField'));
    for (const key of Object.keys(value)) pending.push((value as Record<string, unknown>)[key]);
  }
}

/** Reads path values and the query of a request. Errors: `invalid_request` for bad URL-encoding or a repeated field. */
export function parseUrlFields(params: Record<string, string>, query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name in params) fields[name] = decode(name, params[name] as string);
  if (query === '') return fields;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode('', at < 0 ? pair : pair.slice(0, at));
    if (name === '__proto__') throw invalid(name, say('unknownField'));
    if (Object.hasOwn(params, name)) throw invalid(name, verbatim('belongs in the path only'));
    if (Object.hasOwn(fields, name)) throw invalid(name, verbatim('is given twice'));
    fields[name] = decode(name, at < 0 ? '' : pair.slice(at + 1).replaceAll('+', ' '));
  }
  return fields;
}

function decode(path: string, encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalid(path, verbatim('is not URL-encoded correctly'));
  }
}
