/** Shared set-up for tests of concurrent transactions: a merchant, the tills of its stores, and its customers. */
import { afterAll, beforeAll, expect } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import type { PosContext } from '@/server/domain/kernel/context';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { submitSale } from '@/server/domain/sales/submit';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestCustomer,
  type TestMerchant,
  testServices,
} from './factory';

/** The amount of a top-up, in minor units. */
export const openingValue = 1_000;

export interface Customer extends TestCustomer {
  /** The `transactionId` of the top-up. */
  topUpId: string;
}

/** For all tests of a file. Use its parts inside tests. Verifies the ledger at the end. */
export function groupStage() {
  const database = sharedDatabase();
  let merchant: TestMerchant;
  let tills: [PosContext, PosContext];
  let packageId: string;
  let serial = 0;
  beforeAll(async () => {
    const { owner, db } = database;
    merchant = await createMerchant(owner);
    const services = testServices(db);
    const [one, other] = merchant.stores;
    tills = [await authenticateKey(services, one.key), await authenticateKey(services, other.key)];
    packageId = await createFixedPackage(owner, merchant.id, { amount: openingValue, bonus: 0 });
  });
  afterAll(async () => {
    expect(await verifyLedger(database.owner)).toEqual([]);
  });

  const next = () => `group-${++serial}`;
  const buy = ({ id: customerId }: Pick<TestCustomer, 'id'>, transactionId = next()) =>
    topUp(tills[0], { transactionId, customer: { customerId }, packageId });

  return {
    get db() {
      return database.db;
    },
    get owner() {
      return database.owner;
    },
    get merchant() {
      return merchant;
    },
    get till() {
      return tills[0];
    },
    get otherTill() {
      return tills[1];
    },
    next,
    buy,
    /** Creates a customer with one top-up. */
    customerWithValue: async (): Promise<Customer> => {
      const customer = await createCustomer(database.owner, merchant.id);
      const { transactionId: topUpId } = await buy(customer);
      return { ...customer, topUpId };
    },
    redeem: ({ id: customerId }: Pick<TestCustomer, 'id'>, amount: number, transactionId = next()) =>
      redeemStoredValue(tills[0], { transactionId, customer: { customerId }, amount }),
    /** Sells, to a guest if no customer is given. */
    sell: (total: number, customerId?: string, { transactionId = next(), plu = 'P' } = {}) =>
      submitSale(tills[0], {
        transactionId,
        closedAt: new Date().toISOString(),
        ...(customerId ? { customer: { customerId } } : {}),
        lines: [{ plu, name: plu, quantity: 1, unitPrice: total, amount: total }],
        subtotal: total,
        discount: 0,
        serviceCharge: 0,
        tax: 0,
        total,
        payments: [{ method: 'cash', amount: total }],
      }),
    principalOf: async ({ id }: Pick<TestCustomer, 'id'>): Promise<number> => {
      const [row] = await database.owner`select principal::int as principal from balances where customer_id = ${id}`;
      return row?.principal;
    },
  };
}

/** Returns the status of a result, or the code of its error. */
export const outcomeOf = (result: Promise<{ status: string }>): Promise<string> =>
  result.then(({ status }) => status, codeOf);
export const codeOf = (error: { code?: string }): string => error.code ?? String(error);
