import type { Page } from '@playwright/test';
import { createFixedPackage, createOpenPackage } from '@/server/testing/factory';
import { expect, expectGood, openMerchant, sectionOf, signIn, test } from '../fixtures/diner';
import type { DinerService } from '../fixtures/diner-service';
import type { FakeEvent } from '../fixtures/fake-stripe';
import { phone } from '../fixtures/table';
import { newBillId } from '../fixtures/till';

test.use(phone);

/** A customer who is offered 120.00 for 100.00, and looks at that offer. */
async function lookAtOffers(page: Page, service: DinerService) {
  const merchant = await openMerchant(service);
  const { id, home, createCustomer, balancesOf } = merchant;
  const { phone: number } = await createCustomer();
  const packageId = await createFixedPackage(service.owner, id, { name: 'Hundred', amount: 10_000, bonus: 2_000 });
  await createOpenPackage(service.owner, id, { name: 'Any', min: 2_000, max: 50_000, basisPoints: 1_000, position: 1 });
  await signIn(page, service, home, number);
  await page.getByRole('link', { name: 'Top up' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Top up' })).toBeVisible();
  return { ...merchant, number, packageId, balance: async () => (await balancesOf(number)).storedValue };
}

/** The Stripe events caused by `work`, and functions that deliver them to the service. */
async function eventsOf({ stripe, origin }: DinerService, work: () => unknown) {
  const from = stripe.events.length;
  await work();
  const events = stripe.events.slice(from);
  const tell = async (event: FakeEvent) =>
    (await fetch(`${origin}/api/webhooks/stripe`, { method: 'POST', ...stripe.sign(event) })).status;
  /** All of them twice and at once, the last first. */
  const tellInDisorder = async (earlier: FakeEvent[] = []) => {
    const told = [...earlier, ...events].toReversed().flatMap((event) => [event, event]);
    expect(await Promise.all(told.map(tell))).toEqual(told.map(() => 200));
  };
  return { events, tellInDisorder };
}

/** Starts a payment by card; returns the session at Stripe. */
async function goToStripe(page: Page, service: DinerService) {
  await page.getByRole('button', { name: 'Pay $100.00 by card' }).click();
  await expect(page.getByRole('heading', { name: 'Hundred' })).toBeVisible();
  const session = [...service.stripe.sessions.values()].at(-1);
  if (!session) throw new Error('there is no session');
  return session;
}

/** Removes complaints about requests to the payment page, which is Stripe's own. */
function forgiveStripe(complaints: string[], { stripe }: DinerService): void {
  const others = complaints.filter((text) => !text.startsWith(`request to ${stripe.origin}/`));
  complaints.splice(0, complaints.length, ...others);
}

const added = (page: Page) => page.getByRole('heading', { level: 1, name: '$120.00 added' });

test('a counter code turns into the credited top-up without a reload', async ({ page, service }) => {
  const { till, number, packageId, balance } = await lookAtOffers(page, service);
  await page.getByRole('radio', { name: 'At the counter' }).check();
  await expectGood(page);
  await page.getByRole('button', { name: 'Get my code' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pay at the counter' })).toBeFocused();
  const counterCode = (await page.getByText(/^(\d ){5}\d$/).innerText()).replaceAll(' ', '');
  await expectGood(page);
  expect(await till.get(`/top-up-requests/${counterCode}`)).toMatchObject({ amount: 10_000, credited: 12_000 });
  const payment = { transactionId: newBillId(), customer: { phone: number }, packageId, counterCode };
  await till.post('/transactions/stored-value/top-up', payment);
  await expect(added(page)).toBeFocused();
  await expect(page.getByText('New balance: $120.00')).toBeVisible();
  await expectGood(page);
  const again = { ...payment, transactionId: newBillId() };
  expect(await till.send('/transactions/stored-value/top-up', again)).toMatchObject({ code: 'top_up_request_closed' });
  expect(await balance()).toMatchObject({ balance: 12_000, bonus: 2_000 });
  await page.getByRole('link', { name: 'To my account' }).click();
  await expect(sectionOf(page, 'History').getByRole('listitem').first()).toContainText('+$120.00');
  await till.post('/transactions/void', { transactionIds: [payment.transactionId] });
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'This top-up was reversed' })).toBeVisible();
});

test('a custom amount is parsed as typed, and an unwanted code is cancelled', async ({ page, service }) => {
  const { till } = await lookAtOffers(page, service);
  await page.getByRole('radio', { name: /^Any/ }).check();
  await page.getByRole('radio', { name: 'At the counter' }).check();
  const amount = page.getByLabel('How much do you want to pay?');
  await amount.fill('5');
  await page.getByRole('button', { name: 'Get my code' }).click();
  await expect(page.getByText('Enter an amount from $20.00 to $500.00.')).toBeVisible();
  await expect(amount).toBeFocused();
  await expectGood(page);
  await amount.fill('35.50');
  await expect(page.getByText('You get $39.05')).toBeVisible();
  await page.getByRole('button', { name: 'Get my code' }).click();
  const counterCode = (await page.getByText(/^(\d ){5}\d$/).innerText()).replaceAll(' ', '');
  expect(await till.get(`/top-up-requests/${counterCode}`)).toMatchObject({ amount: 3_550, credited: 3_905 });
  await page.getByRole('link', { name: 'Back to my account' }).click();
  await page.getByRole('link', { name: 'Top up' }).click();
  const open = page.getByRole('region', { name: 'You have a code to pay $35.50' });
  await expect(open).toContainText(/It works for another \d+:\d\d\./);
  await page.getByRole('radio', { name: 'At the counter' }).check();
  await page.getByRole('button', { name: 'Get my code' }).click();
  await expect(page.getByText('A new code cancels the one that you have.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel it and get a new code' })).toBeVisible();
  await expectGood(page);
  await open.getByRole('link', { name: 'Show my code' }).click();
  await page.getByRole('button', { name: 'Cancel top-up' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Top-up cancelled' })).toBeFocused();
  await expectGood(page);
  await expect(till.get(`/top-up-requests/${counterCode}`)).rejects.toThrow('top_up_request_closed');
});

test('a payer who returns before Stripe’s webhook is credited at once, and only once; a refund reverses it', async ({
  page,
  service,
  complaints,
}) => {
  const { home, balance } = await lookAtOffers(page, service);
  const session = await goToStripe(page, service);
  const paid = await eventsOf(service, async () => {
    const checked = page.waitForResponse(/topUps\.check/);
    await page.getByRole('button', { name: 'Pay' }).click();
    expect((await checked).status()).toBe(200);
    await expect(added(page)).toBeVisible();
  });
  expect(paid.events.map(({ type }) => type)).toEqual(['charge.succeeded', 'checkout.session.completed']);
  expect(await balance()).toMatchObject({ balance: 12_000 });
  await paid.tellInDisorder();
  expect(await balance()).toMatchObject({ balance: 12_000 });
  const address = page.url();

  const refunded = await eventsOf(service, () => service.stripe.refund(session.id));
  await refunded.tellInDisorder(paid.events);
  expect(await balance()).toMatchObject({ balance: 0, bonus: 0 });
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: 'Your refund is on its way' })).toBeVisible();
  await expectGood(page);
  await page.goto(home);
  await expect(sectionOf(page, 'History').getByRole('listitem').first()).toContainText('HundredCancelledTop-up');
  forgiveStripe(complaints, service);
});

test('a payment that Stripe reports first updates the waiting page, however often it is reported', async ({
  page,
  service,
  complaints,
}) => {
  const { balance } = await lookAtOffers(page, service);
  const session = await goToStripe(page, service);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Not paid yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Continue to payment' })).toHaveAttribute('href', /\/pay\/cs_/);
  await expectGood(page);
  const paid = await eventsOf(service, () => service.stripe.pay(session.id));
  await paid.tellInDisorder();
  await expect(added(page)).toBeFocused();
  expect(await balance()).toMatchObject({ balance: 12_000 });
  await page.goto(session.success_url);
  await expect(added(page)).toBeVisible();
  expect(await balance()).toMatchObject({ balance: 12_000 });
  forgiveStripe(complaints, service);
});

test('while a bank is slow, the page explains the state', async ({ page, service, complaints }) => {
  const { balance } = await lookAtOffers(page, service);
  const session = await goToStripe(page, service);
  service.stripe.pay(session.id, 'processing');
  // Stripe is asked, and the page is not answered.
  let asked: Promise<unknown> | undefined;
  await page.route('**/topUps.check*', (route) => {
    asked ??= route.fetch();
  });
  await page.goto(session.success_url);
  await expect(page.getByRole('heading', { level: 1, name: 'Checking your payment' })).toBeVisible();
  await expectGood(page);
  await expect.poll(() => asked !== undefined).toBe(true);
  await asked;
  expect(await balance()).toMatchObject({ balance: 0 });
  const concluded = await eventsOf(service, () => service.stripe.conclude(session.id, 'paid'));
  await concluded.tellInDisorder();
  await expect(added(page)).toBeVisible();
  expect(await balance()).toMatchObject({ balance: 12_000 });
  forgiveStripe(complaints, service);
});
