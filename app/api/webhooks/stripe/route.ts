/** Stripe's webhook: signed events on payments of top-ups. */

import { DomainError } from '@/server/domain/kernel/errors';
import { settleTopUp } from '@/server/domain/top-ups';
import { readStripeEvent } from '@/server/gateways/stripe';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { noteRefusedWebhook } from '@/server/limits/refused-webhook';
import { env, secretsOf } from '@/server/process/env';
import { getServices } from '@/server/process/services';

const maxBodyBytes = 1024 * 1024;

export async function POST(request: Request): Promise<Response> {
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response('Too large', { status: 413 });
  const secrets = secretsOf(env(), 'STRIPE_WEBHOOK_SECRET');
  const event = readStripeEvent(body, request.headers.get('stripe-signature'), secrets);
  if (event === 'forged') {
    await noteRefusedWebhook(getServices(), 'stripe', request);
    return new Response('Forbidden', { status: 403 });
  }
  try {
    if (event) await settleTopUp(getServices(), event);
  } catch (error) {
    // Stripe retries later.
    if (error instanceof DomainError) return new Response('Try again', { status: 503 });
    throw error;
  }
  return Response.json({ status: 'ok' });
}

export const dynamic = 'force-dynamic';
