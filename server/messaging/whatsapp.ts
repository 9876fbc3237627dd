/** The WhatsApp Cloud API: an approved authentication template carries the code, in its body and on its copy button. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Delivery, Messenger } from '@/server/domain/messaging/deliver';
import type { Env } from '@/server/env';

const accepted = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) });
const refused = z.object({ error: z.object({ code: z.number(), message: z.string() }) });

export function createWhatsapp(settings: Env, { timeoutMs = 10_000 } = {}): Messenger {
  const { WHATSAPP_API_URL, WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_ACCESS_TOKEN } = settings;
  const url = `${WHATSAPP_API_URL.replace(/\/$/, '')}/v21.0/${WHATSAPP_PHONE_NUMBER_ID}/messages`;
  return {
    async sendCode(to, code) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${WHATSAPP_ACCESS_TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify(templateMessage(settings, to, code)),
          signal: AbortSignal.timeout(timeoutMs),
        });
        return await read(response);
      } catch (error) {
        // Names only: a message could quote what was sent.
        return { outcome: 'retry', reason: error instanceof Error ? error.name : 'no connection' };
      }
    },
  };
}

function templateMessage({ WHATSAPP_TEMPLATE, WHATSAPP_TEMPLATE_LANGUAGE }: Env, to: string, code: string) {
  const parameters = [{ type: 'text', text: code }];
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to.replace('+', ''),
    type: 'template',
    template: {
      name: WHATSAPP_TEMPLATE,
      language: { code: WHATSAPP_TEMPLATE_LANGUAGE },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    },
  };
}

async function read(response: Response): Promise<Delivery> {
  const body = await response.json().catch(() => null);
  if (response.ok) {
    const id = accepted.safeParse(body).data?.messages[0]?.id;
    return id ? { outcome: 'sent', providerId: id } : { outcome: 'retry', reason: 'an answer without a message id' };
  }
  const code = refused.safeParse(body).data?.error.code;
  const reason = `HTTP ${response.status}${code === undefined ? '' : `, WhatsApp error ${code}`}`;
  return { outcome: response.status >= 500 || response.status === 429 ? 'retry' : 'refused', reason };
}

/** Whether WhatsApp signed this body (`X-Hub-Signature-256`). */
export function isSignedByWhatsapp(appSecret: string, body: string, signature: string | null): boolean {
  return isSameSecret(signature ?? '', `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
}

/** Compares in a time that tells nothing of where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const status = z.object({
  id: z.string(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  errors: z.array(z.object({ code: z.number() })).optional(),
});
const webhook = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ statuses: z.array(z.unknown()).optional() }) })) }),
  ),
});

/** The delivery receipts of a webhook's body; what is something else is passed over. */
export function readReceipts(body: unknown) {
  const changes = webhook.safeParse(body).data?.entry.flatMap((entry) => entry.changes) ?? [];
  return changes
    .flatMap(({ value }) => value.statuses ?? [])
    .flatMap((raw) => {
      const receipt = status.safeParse(raw).data;
      if (!receipt) return [];
      const code = receipt.errors?.[0]?.code;
      const failure = receipt.status === 'failed' ? `WhatsApp error ${code ?? 'unknown'}` : null;
      return [{ providerId: receipt.id, state: receipt.status, failure }];
    });
}
