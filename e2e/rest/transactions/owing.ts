import { expect } from 'vitest';
import { type Api, newTransactionId } from '../harness';
import { plainSale } from '../ordering-operations';

/** Lets a customer owe 50 points: they are earned and spent, and the sale is voided. */
export async function oweFifty(api: Api, key: string, customerId: string): Promise<void> {
  const customer = { customerId };
  const sale = plainSale(5_000, { customer });
  const redemption = { transactionId: newTransactionId(), customer, points: 50 };
  expect((await api.post(key, '/sales', sale)).body.pointsEarned).toBe(50);
  expect((await api.post(key, '/transactions/points/redeem', redemption)).status).toBe(200);
  const { body } = await api.post(key, '/transactions/void', { transactionIds: [sale.transactionId] });
  expect(body.results[0]).toMatchObject({ pointsShortfall: 50, effect: { shortfall: 50 } });
}
