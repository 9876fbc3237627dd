/** Verifies webhooks by the Standard Webhooks specification (https://www.standardwebhooks.com). */
import type { Event } from './schema.js';

const toleranceSeconds = 300;

export class WebhookError extends Error {
  override name = 'WebhookError';
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks that the service sent a webhook within the last five minutes, and returns its event. `body` is the raw body, not
 * parsed and written again. `secret` begins with `whsec_`. An event can arrive more than once: ignore an `id` that
 * you know. More types may be added: ignore a `type` that you do not know.
 * Errors: `WebhookError`; answer it with status 400. Its message says what to correct: a body that was parsed, a secret
 * that is not set, a wrong signature.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | undefined,
  nowMs: number = Date.now(),
): Promise<Event> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const ageSeconds = nowMs / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds) {
    throw new WebhookError(`The webhook is not from the last five minutes: ${timestamp}. Check the clock.`);
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (!(bytes instanceof Uint8Array)) {
    throw new WebhookError('Pass the raw body, as text or bytes, before anything parses it.');
  }
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await importSecret(secret);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    const given = version === 'v1' ? fromBase64(value) : null;
    // Compares in constant time.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed)))
      return JSON.parse(new TextDecoder().decode(bytes));
  }
  throw new WebhookError('No signature of the webhook is right. Check the secret, and verify the raw body.');
}

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

async function importSecret(secret: string | undefined): Promise<CryptoKey> {
  if (!secret) throw new WebhookError('The secret is not set. Pass the `whsec_…` that the back office showed.');
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : null;
  if (!bytes?.length) throw new WebhookError('The secret must be `whsec_` and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Null: not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
