import type { Page } from '@playwright/test';
import { createFixedPackage } from '@/server/testing/factory';
import { codeSentTo, expect, expectGood, openMerchant, signIn, test } from '../fixtures/diner';
import type { DinerService } from '../fixtures/diner-service';
import { phone } from '../fixtures/table';
import { newBillId } from '../fixtures/till';

test.use(phone);

/** A customer with $100.00, at a merchant whose till asks for the PIN. */
async function customerWithMoney(service: DinerService, pin?: string) {
  const { id, home, till, createCustomer } = await openMerchant(service, { pin_required: true });
  const customer = await createCustomer(pin);
  const packageId = await createFixedPackage(service.owner, id, { amount: 10_000, bonus: 0 });
  const payer = { customer: { phone: customer.phone } };
  await till.post('/transactions/stored-value/top-up', { transactionId: newBillId(), ...payer, packageId });
  const pay = (given?: string) =>
    till.send('/transactions/stored-value/redeem', { transactionId: newBillId(), ...payer, amount: 500, pin: given });
  return { home, number: customer.phone, customerId: customer.id, pay };
}

const save = (page: Page) => page.getByRole('button', { name: 'Save PIN' }).click();
/** Enters a new PIN twice and saves it. */
async function choose(page: Page, pin: string) {
  await page.getByLabel('New PIN').fill(pin);
  await page.getByLabel('Enter it again').fill(pin);
  await save(page);
}
const saved = (page: Page) => page.getByRole('heading', { level: 1, name: 'Your PIN is saved.' });

test('a first PIN is chosen soon after signing in, and pays at the till', async ({ page, service }) => {
  const { home, number, pay } = await customerWithMoney(service);
  expect(await pay('4831')).toEqual({ status: 402, code: 'pin_not_set' });
  await signIn(page, service, home, number);
  await expect(
    page.getByText('You need it to pay with your balance, points or vouchers, at the till and on your phone.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Choose a PIN' }).first().click();
  const pin = page.getByLabel('New PIN');
  for (const easy of ['1234', '1212']) {
    await choose(page, easy);
    await expect(page.getByText('This PIN is too easy to guess.')).toBeVisible();
  }
  await pin.fill('4831');
  const again = page.getByLabel('Enter it again');
  await again.fill('4381');
  await save(page);
  await expect(page.getByText('The two PINs are not the same.')).toBeVisible();
  await expect(again).toBeFocused();
  await expectGood(page);
  await page.getByRole('checkbox', { name: 'Show the digits' }).check();
  await expect(pin).toHaveAttribute('type', 'text');
  await expect(again).toBeHidden();
  await pin.fill('4831');
  await save(page);
  await expect(saved(page)).toBeFocused();
  await expectGood(page);
  expect(await pay()).toEqual({ status: 400, code: 'pin_required' });
  expect(await pay('4832')).toEqual({ status: 402, code: 'pin_invalid' });
  expect(await pay('4831')).toEqual({ status: 200, code: undefined });
  await page.getByRole('link', { name: 'Back to my account' }).click();
  await expect(page.getByRole('link', { name: 'Change or reset PIN' })).toBeVisible();
});

test('a first PIN long after signing in is confirmed by a code', async ({ page, service }) => {
  const { home, number, customerId, pay } = await customerWithMoney(service);
  await signIn(page, service, home, number);
  await service.owner`
    update diner_sessions set verified_at = verified_at - interval '11 minutes' where customer_id = ${customerId}`;
  await page.goto(`${home}/pin`);
  await expect(page.getByText('Please confirm with a code first.')).toBeVisible();
  const ask = page.getByRole('button', { name: 'Send me a code' });
  await page.getByLabel('Six-digit code').fill(await codeSentTo(service, number, () => ask.click()));
  await choose(page, '4831');
  await expect(saved(page)).toBeVisible();
  expect((await pay('4831')).status).toBe(200);
});

test('a PIN is changed with the old one, and remaining attempts are shown', async ({ page, service }) => {
  const { home, number, pay } = await customerWithMoney(service, '4831');
  await signIn(page, service, home, number);
  await page.getByRole('link', { name: 'Change or reset PIN' }).click();
  const old = page.getByRole('textbox', { name: 'Current PIN' });
  await old.fill('9999');
  await choose(page, '5942');
  await expect(page.getByText('The PIN is incorrect. Attempts left: 4.')).toBeVisible();
  await expect(old).toBeFocused();
  await expectGood(page);
  await old.fill('4831');
  await save(page);
  await expect(saved(page)).toBeVisible();
  expect(await pay('4831')).toEqual({ status: 402, code: 'pin_invalid' });
  expect((await pay('5942')).status).toBe(200);
});

test('a PIN that is locked after wrong attempts at the till is explained, and reset by a code', async ({
  page,
  service,
}) => {
  const { home, number, pay } = await customerWithMoney(service, '4831');
  for (let tries = 0; tries < 5; tries++) await pay('9999');
  expect(await pay('4831')).toEqual({ status: 402, code: 'pin_locked' });
  await signIn(page, service, home, number);
  await page.getByRole('link', { name: 'Change or reset PIN' }).click();
  await expect(page.getByText('Your PIN is locked for now')).toBeVisible();
  await expect(page.getByText('It works again in 15 minutes. You don’t have to wait')).toBeVisible();
  await page.getByRole('radio', { name: 'With my current PIN' }).check();
  await page.getByRole('textbox', { name: 'Current PIN' }).fill('4831');
  await choose(page, '5942');
  await expect(page.getByText('Try again in 15 minutes, or choose a new PIN with a code.')).toBeVisible();

  await page.getByRole('radio', { name: 'With a code' }).check();
  const ask = page.getByRole('button', { name: 'Send me a code' });
  const code = await codeSentTo(service, number, () => ask.click());
  await expectGood(page);
  await page.getByLabel('Six-digit code').fill(code);
  await choose(page, '5942');
  await expect(saved(page)).toBeVisible();
  expect(await pay('4831')).toEqual({ status: 402, code: 'pin_invalid' });
  expect((await pay('5942')).status).toBe(200);
});
