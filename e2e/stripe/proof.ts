/**
 * `npm run proof:stripe`: runs what this service relies on of Stripe against the test account of `STRIPE_SECRET_KEY`, beside the
 * tests' fake, and compares what both do. Without a key, against the fake alone. `STRIPE_CURRENCY`: the account's, `sgd` if not set.
 */
import { fakeStripeEnv, startFakeStripe } from '../fixtures/fake-stripe';
import { differences } from './compare';
import { openAccount, scenes } from './scenes';

const {
  STRIPE_SECRET_KEY: key,
  STRIPE_API_BASE: base = 'https://api.stripe.com',
  STRIPE_CURRENCY: currency = 'sgd',
} = process.env;
const say = (text: string) => process.stdout.write(`${text}\n`);
const fake = await startFakeStripe();
const ours = openAccount(fakeStripeEnv(fake.origin).STRIPE_SECRET_KEY, fake.origin, currency);
const theirs = key ? openAccount(key, base, currency) : null;
let failed = 0;

say(theirs ? `Stripe at ${base}, and the fake` : 'The fake alone: set STRIPE_SECRET_KEY to a key of test mode.');
for (const [name, scene] of Object.entries(scenes)) {
  try {
    const here = await scene(ours);
    const there = theirs ? await scene(theirs) : here;
    const found = Object.entries(here).flatMap(([object, shape]) =>
      differences(shape ?? {}, there[object] ?? {}).map((text) => `${object}: ${text}`),
    );
    if (found.length > 0) throw new Error(found.join('; '));
    say(`✓ ${name}`);
  } catch (error) {
    failed += 1;
    say(`✗ ${name}\n  ${error instanceof Error ? error.message : error}`);
  }
}
await fake.stop();
process.exitCode = failed > 0 ? 1 : 0;
