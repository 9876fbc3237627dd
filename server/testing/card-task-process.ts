/**
 * A process of the worker that runs its tasks of card payments once, and is killed in the middle: at a call of Stripe, after the
 * answer has come, or at a statement of the database. No handler and no rollback of ours runs then.
 */
import { connectDatabase } from '@/db/driver';
import { fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { readEnv } from '@/server/environment/env';
import { createStripe } from '@/server/gateways/stripe';
import { settleOverdueBillPayments } from '../domain/bills';
import { reconcileCardPayments } from '../domain/card-payments';
import type { CardPayments, CardService } from '../domain/kernel/card-payments';
import type { Services } from '../domain/kernel/context';
import { settleOverdueTopUps } from '../domain/top-ups';
import { dyingAt } from './dying-database';
import { testSecret, testServices } from './factory';

/** The ways to die, which the test gives by name. */
const deaths = {
  stripe: (services: Services, step: number) => ({ ...services, cardPayments: dyingAtAnswer(services, step) }),
  database: (services: Services, step: number) => ({ ...services, db: dyingAt(services.db, step, die).db }),
};

const tasks = {
  reconcile: reconcileCardPayments,
  settle: async (services: Services) => {
    await settleOverdueTopUps(services);
    await settleOverdueBillPayments(services);
  },
};
export type Task = keyof typeof tasks;
export type Death = keyof typeof deaths;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Nothing more happens until the signal comes.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Dies when the answer to the `step`-th call is there, before anything is done with it. */
function dyingAtAnswer({ cardPayments }: Services, step: number): CardService {
  let answers = 0;
  const own = cardPayments?.on(null) as CardPayments;
  const dying = new Proxy(own, {
    get: (all, name: keyof CardPayments) =>
      name === 'takes'
        ? all.takes
        : async (...input: never[]) => {
            const answer = await (all[name] as (...given: never[]) => Promise<unknown>)(...input);
            answers += 1;
            return answers >= step ? die() : answer;
          },
  });
  return { on: () => dying, connect: null };
}

const [url = '', stripeOrigin = '', aheadMs = '', task = '', death = '', step = ''] = process.argv.slice(2);
const secrets = { AUTH_SECRET: testSecret, DATA_SECRET: testSecret };
const env = readEnv({ APP_ENV: 'sandbox', DATABASE_URL: url, ...secrets, ...fakeStripeEnv(stripeOrigin) });
const db = connectDatabase(url, { role: 'loyalty_app', max: 4 });
const services: Services = {
  ...testServices(db, { now: () => new Date(Date.now() + Number(aheadMs)) }),
  cardPayments: createStripe(env),
};
await tasks[task as Task](deaths[death as Death](services, Number(step)));
await db.close();
