/** The scenes of `npm run proof:stripe` against the fake: it does what they say of Stripe, with fields that Stripe has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, fakeStripeEnv, startFakeStripe } from '../fixtures/fake-stripe';
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
  failed: refundFailed.data.object,
  dispute: disputeListed.data[0],
  transaction: disputeReinstated.balance_transactions[0],
};

test.each(Object.entries(scenes))('%s', async (_, scene) => {
  const account = openAccount(fakeStripeEnv(fake.origin).STRIPE_SECRET_KEY, fake.origin, 'sgd');
  for (const [name, object] of Object.entries(await scene(account))) {
    if (recorded[name]) expect(differences(object ?? {}, recorded[name])).toEqual([]);
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
