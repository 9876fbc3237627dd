/** Stripe's webhook about payments on the operator's own account. */
import { receiveStripeEvent } from './receive';

export const POST = (request: Request): Promise<Response> => receiveStripeEvent(request, 'STRIPE_WEBHOOK_SECRET');

export const dynamic = 'force-dynamic';
