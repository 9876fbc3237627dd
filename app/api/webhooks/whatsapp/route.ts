/** WhatsApp's webhook: it is verified once with a token, then brings delivery receipts, each signed. */
import { getServices } from '@/server/database';
import { recordReceipt } from '@/server/domain/messaging/deliver';
import { env } from '@/server/env';
import { isSignedByWhatsapp, readReceipts } from '@/server/messaging/whatsapp';

const maxBodyBytes = 1024 * 1024;

export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const { WHATSAPP_VERIFY_TOKEN } = env();
  const isOurs =
    WHATSAPP_VERIFY_TOKEN !== undefined &&
    searchParams.get('hub.mode') === 'subscribe' &&
    searchParams.get('hub.verify_token') === WHATSAPP_VERIFY_TOKEN;
  if (!isOurs) return new Response('Forbidden', { status: 403 });
  return new Response(searchParams.get('hub.challenge') ?? '', { headers: { 'content-type': 'text/plain' } });
}

export async function POST(request: Request): Promise<Response> {
  const { WHATSAPP_APP_SECRET } = env();
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes)
    return new Response('Too large', { status: 413 });
  const body = await request.text();
  const signature = request.headers.get('x-hub-signature-256');
  if (!WHATSAPP_APP_SECRET || !isSignedByWhatsapp(WHATSAPP_APP_SECRET, body, signature)) {
    return new Response('Forbidden', { status: 403 });
  }
  for (const receipt of readReceipts(parse(body))) await recordReceipt(getServices(), receipt);
  return Response.json({ status: 'ok' });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export const dynamic = 'force-dynamic';
