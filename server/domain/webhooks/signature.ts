/** Signatures according to the Standard Webhooks specification, whose libraries can verify them. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Creates the secret of an endpoint: 256 random bits. The owner sees it once. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

interface Signed {
  /** The event's id. It is the same at each attempt, so that a receiver recognises a repetition. */
  id: string;
  /** The time of sending, because receivers refuse requests that are minutes old. */
  at: Date;
  body: string;
}

/** Returns the headers of a webhook, signed with each secret. During a rotation there are two. */
export function signedHeaders(secrets: string[], { id, at, body }: Signed): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
