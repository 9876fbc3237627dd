/** The scenes of `npm run proof:stripe` against the fake: it does what they say of Stripe, with fields that Stripe has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, fakeStripeEnv, startFakeStripe } from '../fixtures/fake-stripe';
import account from '../fixtures/stripe/account.json' with { type: 'json' };
import deauthorized from '../fixtures/stripe/account-deauthorized.json' with { type: 'json' };
import accountLink from '../fixtures/stripe/account-link.json' with { type: 'json' };
import disputeListed from '../fixtures/stripe/dispute-listed.json' with { type: 'json' };
import disputeReinstated from '../fixtures/stripe/dispute-reinstated.json' with { type: 'json' };
import refundFailed from '../fixtures/stripe/refund-failed.json' with { type: 'json' };
import { differences } from './compare';
import { openAccount, scenes } from './scenes';

let fake: FakeStripe;
beforeAll(async () => {
  fake = await startFakeStripe();
});
afterAll(() => fake.stop());

/** Objects of which we have a recorded one, from Stripe's pages or a real account. */
const recorded: Record<string, object | undefined> = {
  account,
  accountLink,
  failed: refundFailed.data.object,
  dispute: disputeListed.data[0],
  transaction: disputeReinstated.balance_transactions[0],
};

test.each(Object.entries(scenes))('%s', async (_, scene) => {
  const opened = openAccount(fakeStripeEnv(fake.origin).STRIPE_SECRET_KEY, fake.origin, 'sgd');
  for (const [name, object] of Object.entries(await scene(opened))) {
    if (recorded[name]) expect(differences(object ?? {}, recorded[name])).toEqual([]);
  }
});

test('what is told of an account has the fields of what was recorded', () => {
  const id = fake.addAccount();
  fake.restrict(id);
  fake.deauthorize(id);
  const [updated, gone] = fake.events.slice(-2).map(({ body }) => JSON.parse(body));
  expect(differences(gone, deauthorized)).toEqual([]);
  expect(differences(gone.data.object, deauthorized.data.object)).toEqual([]);
  expect(differences(updated.data.object, account)).toEqual([]);
  expect([updated.account, gone.account]).toEqual([id, id]);
  for (const part of ['controller', 'requirements'] as const) {
    expect(differences(updated.data.object[part], account[part])).toEqual([]);
  }
});

test('what the fake has and Stripe has not is found', () => {
  expect(differences({ id: 'x', amount: 1, extra: true }, { id: 'y', amount: '1' })).toEqual([
    "amount is number, and string in Stripe's",
    "extra is not in Stripe's",
  ]);
});

test('a key that moves money is refused', () => {
  expect(() => openAccount('sk_live_1', fake.origin, 'sgd')).toThrow('test mode');
});
