/** The TypeScript client in a browser, as a till in Electron or a WebView has it. */
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import type * as Client from '@/clients/typescript/src/index';
import { expect, test } from '../fixtures/test';

const secret = `whsec_${Buffer.from('a secret of a test, 32 bytes long').toString('base64')}`;
const event = { id: 'evt-1', type: 'order.placed', data: { name: '辣沙' } };

test('the client sends, queues and verifies in a browser', async ({ page, merchant }) => {
  const { outputFiles } = await build({
    entryPoints: ['clients/typescript/src/index.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'loyalty',
    platform: 'browser',
    target: 'es2022',
  });
  const body = JSON.stringify(event);
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(event.id, new Date(), body),
  };
  const apiKey = merchant.stores[0]?.apiKey ?? '';
  const transactionId = `client-${Date.now()}`;
  // The service answers no other origin's scripts, so the page is its own.
  await page.goto('/docs');
  await page.evaluate(`${outputFiles[0]?.text}; globalThis.loyalty = loyalty;`);
  const seen = await page.evaluate(
    async ({ apiKey, transactionId, body, headers, secret }) => {
      const { createClient, openQueue, verifyWebhook } = (globalThis as unknown as { loyalty: typeof Client }).loyalty;
      const client = createClient({ origin: location.origin, apiKey });
      const entries = new Map<string, string>();
      const journal = {
        read: async () => [...entries].map(([name, text]) => ({ name, text })),
        write: async ({ name, text }: Client.JournalEntry) => void entries.set(name, text),
        remove: async (name: string) => void entries.delete(name),
      };
      const status = await new Promise<string>((resolve, reject) => {
        openQueue({ client, journal, onOutcome: (_, outcome) => resolve(outcome.status), onWaiting: reject })
          .then((queue) =>
            queue.add('/sales', {
              transactionId,
              lines: [{ plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, amount: 180 }],
              subtotal: 180,
              discount: 0,
              serviceCharge: 0,
              tax: 0,
              total: 180,
              payments: [{ method: 'cash', amount: 180 }],
              closedAt: new Date().toISOString(),
              occurredAt: new Date().toISOString(),
            }),
          )
          .catch(reject);
      });
      const path = { transactionId };
      const { data } = await client.GET('/transactions/{transactionId}', { params: { path } });
      return { status, outcome: data?.status, event: await verifyWebhook(body, headers, secret) };
    },
    { apiKey, transactionId, body, headers, secret },
  );
  expect(seen).toEqual({ status: 'completed', outcome: 'completed', event });
});
