/** A merchant with data of every kind, for tests that call each procedure once. */

import { type FakeStripe, fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { type Api, newTransactionId } from '@/e2e/rest/harness';
import { type Call, performCall, type Stage } from '@/e2e/rest/operations';
import { createOrderingStage } from '@/e2e/rest/ordering-operations';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { readEnv } from '@/server/environment/env';
import { createStripe } from '@/server/gateways/stripe';
import { createCustomer, createFixedPackage, createTopUpRequest, testSecret, testServices } from '../factory';
import { callAs, createStaff } from '../staff';

/** By name, each procedure called in every way in which it sends different statements. */
export type Calls = Record<string, (scene: CallScene) => Promise<unknown>>;

const neededEnv = {
  APP_ENV: 'sandbox',
  DATABASE_URL: 'postgres://localhost/unused',
  AUTH_SECRET: testSecret,
  DATA_SECRET: testSecret,
};

export type CallScene = Awaited<ReturnType<typeof createCallScene>>;

/** Messages and mails stay queued, and are sent by the worker's calls. */
export async function createCallScene(api: Api, stripe: FakeStripe) {
  const services: Services = {
    ...testServices(api.db),
    messenger: 'whatsapp',
    mailer: 'smtp',
    cardPayments: createStripe(readEnv({ ...neededEnv, ...fakeStripeEnv(stripe.origin) })),
  };
  const ordering = await createOrderingStage(api);
  const { merchant, customer, key } = ordering;
  const packageId = await createFixedPackage(api.owner, merchant.id, { amount: 10_000, bonus: 2_000 });
  const ordered = { customerId: customer.id, packageId };
  const transactionId = newTransactionId();
  const stage: Stage = {
    merchant,
    customer,
    key,
    packageId,
    transactionId,
    counterCode: await createTopUpRequest(api.owner, merchant.id, ordered),
  };
  const must = async (call: Call) => {
    const answer = await performCall(api, key, call);
    if (answer.status !== 200) throw new Error(`it was not done: ${answer.text}`);
  };
  const post = (path: string, body: Record<string, unknown>) => must({ method: 'POST', path, body });
  const topUp = (rest: object = {}) =>
    post('/transactions/stored-value/top-up', {
      transactionId: newTransactionId(),
      customer: { customerId: customer.id },
      packageId,
      ...rest,
    });
  await topUp({ transactionId });
  const staff = await createStaff(api.owner, services, merchant.id, 'owner');
  const { owner: sql } = api;
  return {
    api,
    sql,
    services,
    ordering,
    stage,
    merchant,
    customer,
    packageId,
    staff,
    stripe,
    must,
    post,
    topUp,
    storeId: merchant.stores[0].id,
    call: callAs(staff),
    newCustomer: (pin?: string) => createCustomer(sql, merchant.id, pin === undefined ? {} : { pin }),
    /** Expects a request to be refused. */
    mustRefuse: async (work: Promise<unknown>) => {
      const outcome = await work.then(
        () => 'it was done',
        (error: Error) => error.message,
      );
      if (!/"code":"(?!internal_error|service_unavailable|invalid_request)/.test(outcome)) throw new Error(outcome);
    },
    uidOf: async (id: string): Promise<string> => {
      const [row] =
        await sql`select uid from transactions where merchant_id = ${merchant.id} and transaction_id = ${id}`;
      return row?.uid;
    },
  };
}

/** Runs one after another. */
export async function runInSequence(...works: (() => Promise<unknown>)[]): Promise<void> {
  for (const work of works) await work();
}

/** Expects a domain error. Any other outcome is a failure. */
export async function expectRefusal(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => null,
    (error: { cause?: unknown }) => error.cause ?? error,
  );
  if (!(outcome instanceof DomainError)) throw new Error(`it was not refused: ${outcome}`);
}

let serial = 0;
/** Returns an unused name. */
export const newName = (of: string) => `${of} ${++serial}`;
