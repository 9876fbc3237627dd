/** The real route of Stripe's webhook, for tests that send it the fake's signed events. */
import { beforeAll } from 'vitest';
import type { FakeEvent } from '@/e2e/fixtures/fake-stripe';
import { countAttempt } from './attempts';
import { useSettings } from './settings';
import type { topUpStage } from './top-ups';

const address = 'https://loyalty.example.com/api/webhooks/stripe';

/** Call it once in a file. */
export function stripeWebhook(stage: ReturnType<typeof topUpStage>, settings: Record<string, string> = {}) {
  let route: typeof import('@/app/api/webhooks/stripe/route');
  let connect: typeof import('@/app/api/webhooks/stripe/connect/route');
  beforeAll(async () => {
    const restore = useSettings({ ...stage.settings, ...settings });
    route = await import('@/app/api/webhooks/stripe/route');
    connect = await import('@/app/api/webhooks/stripe/connect/route');
    return async () => {
      const { getServices } = await import('@/server/environment/services');
      await getServices().db.close();
      restore();
    };
  });
  const post = async (init: RequestInit, isConnected = false): Promise<Response> => {
    const url = isConnected ? `${address}/connect` : address;
    const answer = await (isConnected ? connect : route).POST(new Request(url, { method: 'POST', ...init }));
    countAttempt(answer.status >= 400);
    return answer;
  };
  return {
    post,
    /** Sends an event as Stripe signs it, to the endpoint for its account. Returns the status. */
    send: async (event: FakeEvent): Promise<number> =>
      (await post(stage.stripe.sign(event), event.account !== null)).status,
  };
}
