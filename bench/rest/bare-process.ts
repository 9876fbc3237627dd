/** A minimal hand-written server: Fastify and postgres.js, with the same shapes and statements, and nothing else. */
import Fastify from 'fastify';
import { saleInput } from '@/server/domain/sales/schemas';
import { redeemInput, topUpInput } from '@/server/domain/stored-value/schemas';
import { voidInput } from '@/server/domain/transactions/schemas';
import { redeemVoucherInput } from '@/server/domain/vouchers/schemas';
import { type BareSettings, openBare } from './bare';

const shapes = {
  '/transactions/stored-value/redeem': ['redeem', redeemInput],
  '/transactions/stored-value/top-up': ['topUp', topUpInput],
  '/transactions/voucher/redeem': ['voucher', redeemVoucherInput],
  '/sales': ['sale', saleInput],
  '/transactions/void': ['void', voidInput],
} as const;

process.once('message', async (settings: BareSettings) => {
  const { carry } = openBare(settings);
  const app = Fastify();
  const keyOf = (headers: Record<string, unknown>) => headers['x-api-key'] as string;
  for (const [path, [operation, shape]] of Object.entries(shapes)) {
    app.post(`/api/v1${path}`, ({ headers, body }) => carry(operation, keyOf(headers), shape.parse(body)));
  }
  app.get('/api/v1/customers/phone/:phone/balances', ({ headers, params }) =>
    carry('balances', keyOf(headers), params as { phone: string }),
  );
  process.send?.({ origin: await app.listen() });
});
