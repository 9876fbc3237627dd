/** The texts of the screens, in every language and state. */
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { loyaltyWords, topUpWords } from '@/components/diner/dictionaries';
import type { DinerLanguage } from '@/components/diner/words';
import type { StoredValuePackage } from '@/server/domain/stored-value/schemas';
import type { TopUpRequestView } from '@/server/domain/top-ups/view';
import { LoyaltyProvider } from '../loyalty-context';
import { ChooseTopUp } from './choose-top-up';
import { TopUpStatus } from './top-up-status';

const merchant = {
  id: 'm1',
  name: 'Kopi & Kaya',
  locale: 'en-SG',
  currency: 'SGD',
  timeZone: 'Asia/Singapore',
  dayStartsAt: 0,
};
const router = { push() {}, replace() {}, refresh() {}, back() {}, forward() {}, prefetch() {} };
const languages = Object.keys(topUpWords) as DinerLanguage[];

/** The text of a screen as rendered by the server. */
function textOf(language: DinerLanguage, screen: ReactNode): string {
  const page = renderToStaticMarkup(
    <AppRouterContext.Provider value={router as never}>
      <LoyaltyProvider merchant={merchant} language={language} words={loyaltyWords[language]} hasNoMessenger={false}>
        {screen}
      </LoyaltyProvider>
    </AppRouterContext.Provider>,
  );
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

const view: TopUpRequestView = {
  topUpRequestId: 'r1',
  packageName: 'Top up 100, get 120',
  method: 'counter',
  state: 'open',
  amount: 10_000,
  bonus: 2_000,
  credited: 12_000,
  counterCode: '402913',
  checkoutUrl: null,
  expiresAt: '2026-11-20T12:12:07.318Z',
  processingUntil: null,
  refusal: null,
  balance: null,
  bonusExpiresAt: null,
};
const ended = { counterCode: null };
const states: [string, Partial<TopUpRequestView>, RegExp][] = [
  ['a code', {}, /Tell our staff this code, and pay \$100\.00\. You get \$120\.00\. .*4 0 2 9 1 3 402 913/],
  [
    'not paid',
    { ...ended, method: 'card', checkoutUrl: 'https://checkout.stripe.com/c/1' },
    /Not paid yet .*Continue to/,
  ],
  [
    'credited',
    { ...ended, state: 'credited', balance: 15_000, bonusExpiresAt: '2027-02-18T15:59:59.999Z' },
    /\$120\.00 added .*You paid \$100\.00.*\$20\.00 of it is a bonus, valid until .*2027.*New balance: \$150\.00/,
  ],
  [
    'processing',
    { ...ended, method: 'card', state: 'processing' },
    /on its way .*You pay \$100\.00\. \$120\.00 is added .*14 working days/,
  ],
  [
    'processing, to be paid in a shop',
    { ...ended, method: 'card', state: 'processing', processingUntil: '2027-02-18T14:59:59.000Z' },
    /on its way .*Please pay by .*2027/,
  ],
  ['cancelled', { ...ended, state: 'cancelled' }, /cancelled .*Nothing was paid.* Choose again/],
  ['expired', { ...ended, state: 'expired' }, /Time is up .*Nothing was paid.* Choose again/],
  ['failed', { ...ended, method: 'card', state: 'failed' }, /did not go through .*Choose again/],
  [
    'refunding',
    { ...ended, method: 'card', state: 'refunding', refusal: 'balance_limit_exceeded' },
    /get a refund .*exceed your balance limit\. \$100\.00 goes back to your card/,
  ],
  [
    'refunded',
    { ...ended, method: 'card', state: 'refunded', refusal: null },
    /refund is on its way \$100\.00 goes back/,
  ],
  [
    'refunded',
    { ...ended, method: 'card', state: 'refunded', refusal: 'merchant_closed' },
    /refund is on its way .*business was closed at that time\. \$100\.00 goes back/,
  ],
  ['voided', { ...ended, state: 'voided' }, /reversed Our staff can tell you why/],
];

describe.each(states)('a top-up: %s', (_, change, english) => {
  const status = (language: DinerLanguage) =>
    textOf(language, <TopUpStatus words={topUpWords[language]} first={{ ...view, ...change }} hasReturned={false} />);

  test('states the result and what to do', () => {
    expect(status('en')).toMatch(english);
  });

  test('has a text in every language, with all placeholders filled', () => {
    const texts = languages.map(status);
    expect(new Set(texts).size).toBe(languages.length);
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|NaN/);
  });
});

test('a payer who returns sees that the payment is being checked', () => {
  const first = { ...view, ...ended, method: 'card' as const, checkoutUrl: 'https://checkout.stripe.com/c/1' };
  const text = textOf('en', <TopUpStatus words={topUpWords.en} first={first} hasReturned />);
  expect(text).toMatch(/Checking your payment .*You can close this page/);
  expect(text).not.toContain('Continue to payment');
});

const fixed: StoredValuePackage = {
  packageId: 'p1',
  name: 'Feast',
  kind: 'fixed',
  amount: 10_000,
  minAmount: null,
  maxAmount: null,
  bonusAmount: 2_000,
  bonusPercent: null,
  creditedAmount: 12_000,
  bonusExpiresInDays: 90,
  validFrom: null,
  validUntil: null,
};
const open: StoredValuePackage = {
  ...fixed,
  packageId: 'p2',
  name: 'Any',
  kind: 'open',
  amount: null,
  bonusAmount: null,
  creditedAmount: null,
  minAmount: 2_000,
  maxAmount: 50_000,
  bonusPercent: 12.5,
  bonusExpiresInDays: null,
};

describe('the choice', () => {
  const choose = (language: DinerLanguage, packages: StoredValuePackage[], methods: ('card' | 'counter')[]) =>
    textOf(language, <ChooseTopUp words={topUpWords[language]} packages={packages} methods={methods} />);

  test('shows what is paid and received, and how to pay', () => {
    const text = choose('en', [fixed, open], ['card', 'counter']);
    expect(text).toMatch(/Feast You get \$120\.00 Pay \$100\.00 \$20\.00 bonus Use the bonus within 90 days\./);
    expect(text).toMatch(/Any From \$20\.00 to \$500\.00 12\.5% bonus/);
    expect(text).toMatch(/By card, now .*At the counter .*Pay \$100\.00 by card/);
    for (const language of languages) expect(choose(language, [fixed, open], ['card'])).not.toMatch(/[{}]|undefined/);
  });

  test('asks for the amount of an open package, and offers only the counter where cards are not accepted', () => {
    const text = choose('en', [open], ['counter']);
    expect(text).toMatch(/How much do you want to pay\? .*From \$20\.00 to \$500\.00 .*six-digit code.*Get my code/);
    expect(text).not.toContain('By card');
  });

  test('says so where there are no packages', () => {
    expect(choose('en', [], ['counter'])).toContain('No top-ups are available');
  });
});
