/** WhatsApp's webhook: verified once with a token, then receives signed delivery receipts and replies. */
import { setTimeout as wait } from 'node:timers/promises';
import { optPhoneOut } from '@/server/domain/customers';
import { recordReceipt } from '@/server/domain/messaging';
import { env, secretsOf } from '@/server/environment/env';
import { getServices } from '@/server/environment/services';
import { isSameSecret, isSignedByWhatsapp, readOptOuts, readReceipts } from '@/server/gateways/whatsapp';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { noteRefusedWebhook } from '@/server/limits/refused-webhook';

type Receipt = ReturnType<typeof readReceipts>[number];

const maxBodyBytes = 1024 * 1024;
const retryMs = 1_000;

export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const { WHATSAPP_VERIFY_TOKEN } = env();
  const isOurs =
    WHATSAPP_VERIFY_TOKEN !== undefined &&
    searchParams.get('hub.mode') === 'subscribe' &&
    isSameSecret(searchParams.get('hub.verify_token') ?? '', WHATSAPP_VERIFY_TOKEN);
  if (!isOurs) return new Response('Forbidden', { status: 403 });
  return new Response(searchParams.get('hub.challenge') ?? '', { headers: { 'content-type': 'text/plain' } });
}

export async function POST(request: Request): Promise<Response> {
  const bytes = await readBodyUpTo(request, maxBodyBytes);
  if (!bytes) return new Response('Too large', { status: 413 });
  const body = bytes.toString('utf8');
  const signature = request.headers.get('x-hub-signature-256');
  if (!isSignedByWhatsapp(secretsOf(env(), 'WHATSAPP_APP_SECRET'), body, signature)) {
    await noteRefusedWebhook(getServices(), 'whatsapp', request);
    return new Response('Forbidden', { status: 403 });
  }
  const payload = parse(body);
  for (const phone of readOptOuts(payload)) await optPhoneOut(getServices(), phone);
  const unknown = await record(readReceipts(payload));
  if (unknown.length > 0) {
    // The receipts may have arrived before we stored their messages' ids.
    await wait(retryMs);
    await record(unknown);
  }
  return Response.json({ status: 'ok' });
}

/** Returns the receipts of unknown messages. */
async function record(receipts: Receipt[]): Promise<Receipt[]> {
  const unknown: Receipt[] = [];
  for (const receipt of receipts) {
    if (!(await recordReceipt(getServices(), receipt))) unknown.push(receipt);
  }
  return unknown;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export const dynamic = 'force-dynamic';
