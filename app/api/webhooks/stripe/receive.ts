/** Takes Stripe's signed events about payments of top-ups and bills, and about merchants' accounts. */

import { followReport } from '@/server/domain/card-payments';
import { DomainError } from '@/server/domain/kernel/errors';
import { env, secretsOf } from '@/server/environment/env';
import { getServices } from '@/server/environment/services';
import { readStripeEvent } from '@/server/gateways/stripe-events';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { noteRefusedWebhook } from '@/server/limits/refused-webhook';

const maxBodyBytes = 1024 * 1024;
const forwardedHeader = 'x-from-cell';
const forwardMs = 10_000;

/** `secretName`: the secret of the endpoint; events of connected accounts come to one of their own. */
export async function receiveStripeEvent(
  request: Request,
  secretName: 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_CONNECT_WEBHOOK_SECRET',
): Promise<Response> {
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response('Too large', { status: 413 });
  const secrets = secretsOf(env(), secretName);
  const { STRIPE_SECRET_KEY } = env();
  const event = readStripeEvent(body, request.headers.get('stripe-signature'), secrets, STRIPE_SECRET_KEY);
  if (event === 'forged') {
    await noteRefusedWebhook(getServices(), 'stripe', request);
    return new Response('Forbidden', { status: 403 });
  }
  try {
    const origin = event && (await followReport(getServices(), event));
    if (origin) return await forward(request, body, origin);
  } catch (error) {
    // Stripe retries later.
    if (error instanceof DomainError) return new Response('Try again', { status: 503 });
    throw error;
  }
  return Response.json({ status: 'ok' });
}

/**
 * Forwards an event to the cell that now has the merchant, which checks the signature again. Stripe follows no
 * redirects.
 */
async function forward({ headers, url }: Request, body: Buffer, origin: string): Promise<Response> {
  const again = new Response('Try again', { status: 503 });
  // Already forwarded: each of two cells believes that the other one has the merchant.
  if (headers.has(forwardedHeader)) return again;
  try {
    const { status } = await fetch(`${origin}${new URL(url).pathname}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': headers.get('stripe-signature') ?? '',
        [forwardedHeader]: '1',
      },
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.timeout(forwardMs),
    });
    return status === 200 ? Response.json({ status: 'ok' }) : again;
  } catch {
    return again;
  }
}
