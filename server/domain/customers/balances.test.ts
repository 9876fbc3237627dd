import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { authenticateKey } from '../access/authenticate';
import { topUp } from '../top-ups/top-up';
import { balancesByEmail, balancesByPhone } from './balances';

const database = sharedDatabase();

test('concurrent requests about many customers each get their own balances or error', async () => {
  const { owner, db } = database;
  const merchant = await createMerchant(owner);
  const till = await authenticateKey(testServices(db), merchant.key);
  const storeCode = merchant.stores[0].storeCode;
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 100, bonus: 0 });
  const customers = await Promise.all(Array.from({ length: 20 }, () => createCustomer(owner, merchant.id)));
  for (const [n, { id: customerId }] of customers.entries()) {
    for (let time = 0; time < n % 4; time++) {
      await topUp(till, { transactionId: `b-${n}-${time}`, storeCode, customer: { customerId }, packageId });
    }
  }
  const outcomeOf = (result: ReturnType<typeof balancesByPhone>) =>
    result.then(
      ({ customer, storedValue }) => `${customer.customerId} ${storedValue.balance}`,
      ({ code }) => code,
    );
  const [odd] = customers;
  const questions = customers.flatMap(({ id, phone, email }, n) => [
    { answer: `${id} ${100 * (n % 4)}`, ask: () => balancesByPhone(till, n % 2 ? { phone } : { phone, storeCode }) },
    { answer: `${id} ${100 * (n % 4)}`, ask: () => balancesByEmail(till, { email }) },
    { answer: 'customer_not_found', ask: () => balancesByPhone(till, { phone: `+65 9100 ${1000 + n}` }) },
    { answer: 'store_not_found', ask: () => balancesByPhone(till, { phone: odd?.phone ?? '', storeCode: 'NOWHERE' }) },
    { answer: 'invalid_request', ask: () => balancesByPhone(till, { phone: 'what?' }) },
  ]);
  expect(await Promise.all(questions.map(({ ask }) => outcomeOf(ask())))).toEqual(
    questions.map(({ answer }) => answer),
  );
});

test('concurrent requests of many merchants about the same phone number each get their own balances and vouchers', async () => {
  const { owner, db } = database;
  const phone = '+6598765432';
  const merchants = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { id, stores } = await createMerchant(owner);
      const [north, south] = stores;
      const till = await authenticateKey(testServices(db), north.key);
      const customer = await createCustomer(owner, id);
      await owner`update customers set phone = ${phone} where id = ${customer.id}`;
      const packageId = await createFixedPackage(owner, id, { amount: 100 + n, bonus: 0 });
      await topUp(till, { transactionId: 'same', customer: { customerId: customer.id }, packageId });
      const of = async (storeIds?: string[]) => {
        const campaignId = await createCampaign(owner, id, storeIds && { storeIds });
        return createVoucher(owner, id, { campaignId, customerId: customer.id });
      };
      const codes = [await of(), await of([north.id])];
      await of([south.id]);
      return { till, customer, balance: 100 + n, codes };
    }),
  );
  // Each merchant twice, in an order that changes the merchant at every row.
  const asked = [...merchants, ...merchants];
  const answers = await Promise.all(
    asked.map(({ till }, n) =>
      balancesByPhone(till, { phone: n % 5 === 4 ? '+65 9100 0000' : phone }).catch(({ code }) => code),
    ),
  );
  for (const [n, { customer, balance, codes }] of asked.entries()) {
    if (n % 5 === 4) expect(answers[n]).toBe('customer_not_found');
    else {
      expect(answers[n]).toMatchObject({ customer: { customerId: customer.id }, storedValue: { balance } });
      const plain = answers[n].vouchers.map((voucher: { voucherCode: string }) =>
        voucher.voucherCode.replaceAll('-', ''),
      );
      expect(plain.sort()).toEqual(codes.toSorted());
    }
  }
});
