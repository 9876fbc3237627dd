/** Stripe's webhook about merchants' own accounts and the payments on them. */
import { receiveStripeEvent } from '../receive';

export const POST = (request: Request): Promise<Response> =>
  receiveStripeEvent(request, 'STRIPE_CONNECT_WEBHOOK_SECRET');

export const dynamic = 'force-dynamic';
