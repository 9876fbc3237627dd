/** The bill at the table: two phones and a till. */
import type { Browser, Page } from '@playwright/test';
import { createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createMenu, createVoucher } from '@/server/testing/factory-ordering';
import { expectAccessible } from '../fixtures/accessibility';
import { codeSentTo, expect, identifyDiner, openMerchant, signIn, test } from '../fixtures/diner';
import type { DinerService } from '../fixtures/diner-service';
import { addToCart, layTable, openCart, phone, sheet, sitDown } from '../fixtures/table';
import { newBillId, type Till } from '../fixtures/till';

test.use(phone);

interface OpenBill {
  state: string;
  redeemed: number;
  paid: number;
  tips: number;
  held: number;
  due: number;
}

/** A table whose till sends its bill: `laksas` at 8.90 and a kopi, with 10% service charge and 9% tax. */
async function layTableWithBill(till: Till) {
  const table = await layTable(till);
  let revision = 0;
  const send = (laksas: number) => {
    const subtotal = 890 * laksas + 180;
    const serviceCharge = Math.round(subtotal * 0.1);
    const tax = Math.round((subtotal + serviceCharge) * 0.09);
    const lines = [
      { plu: 'N001', name: 'Laksa', quantity: laksas, unitPrice: 890, amount: 890 * laksas },
      { plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, amount: 180 },
    ];
    const sums = { subtotal, discount: 0, serviceCharge, tax, total: subtotal + serviceCharge + tax };
    revision += 1;
    return till.put(`/bills/${table.billId}`, { revision, table: '14', currency: 'SGD', lines, ...sums });
  };
  await send(2);
  return { ...table, send, read: () => till.get<OpenBill>(`/bills/${table.billId}`) };
}

/** A merchant with a PIN and tips, and its customer with a voucher of 5.00, one for larger bills, and a balance of 100.00. */
async function openRestaurant(service: DinerService, settings: { cardOnBill?: boolean } = {}) {
  const merchant = await openMerchant(service, { pin_required: true });
  const { owner } = service;
  await createMenu(owner, merchant.id);
  await owner`
    insert into ordering_settings (merchant_id, tip_percentages, card_on_bill, updated_at)
    values (${merchant.id}, '{10}', ${settings.cardOnBill ?? true}, now())`;
  const customer = await merchant.createCustomer('4831');
  for (const campaign of [{ name: 'Welcome' }, { name: 'Feast', min_spend: 3_000 }]) {
    const campaignId = await createCampaign(owner, merchant.id, campaign);
    await createVoucher(owner, merchant.id, { campaignId, customerId: customer.id });
  }
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 10_000, bonus: 0 });
  const payer = { customer: { phone: customer.phone } };
  await merchant.till.post('/transactions/stored-value/top-up', { transactionId: newBillId(), ...payer, packageId });
  return { ...merchant, customer };
}

async function secondPhone(browser: Browser, service: DinerService): Promise<Page> {
  const context = await browser.newContext({ ...phone, baseURL: service.origin });
  return context.newPage();
}

const billOf = (page: Page) => sheet(page, 'Your bill');
const openBill = (page: Page) => page.getByRole('button', { name: /^Bill/ }).click();

/** Presses a button of Stripe's page. */
async function atStripe(page: Page, button: 'Pay' | 'Back'): Promise<void> {
  await page.waitForURL(/\/pay\//);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Stripe's own page is another host. */
function forgiveStripe(complaints: string[], { stripe }: DinerService): void {
  const others = complaints.filter((text) => !text.startsWith(`request to ${stripe.origin}/`));
  complaints.splice(0, complaints.length, ...others);
}

test('two phones use a voucher, split the bill with a tip, pay the rest of the changed bill, and keep receipts', async ({
  page: a,
  browser,
  service,
  complaints,
}) => {
  const { till, home, customer } = await openRestaurant(service);
  const table = await layTableWithBill(till);
  await signIn(a, service, home, customer.phone);
  await sitDown(a, table.url);
  await openBill(a);
  const billA = billOf(a);
  await expect(billA).toContainText('Left to pay$23.50');
  await expect(billA.getByRole('listitem').filter({ hasText: 'Laksa' })).toContainText('$17.80');
  const feast = billA.getByRole('list', { name: 'Not for this bill' }).getByRole('listitem');
  await expect(feast).toHaveText('FeastMinimum spend $30.00 on items, so far $19.60 after discounts');
  await expectAccessible(a);

  // With the PIN, and taken back, and used again.
  const redeem = async (pin: string) => {
    await billA.getByRole('button', { name: 'Use: Welcome, $5.00' }).click();
    const confirm = sheet(a, 'Confirm with your PIN');
    await confirm.getByLabel('Your PIN').fill(pin);
    await confirm.getByRole('button', { name: 'Use $5.00' }).click();
    return confirm;
  };
  const confirm = await redeem('9999');
  await expect(confirm.getByText('The PIN is incorrect. Attempts left: 4.')).toBeVisible();
  await expect(confirm.getByLabel('Your PIN')).toBeFocused();
  await expectAccessible(a);
  await confirm.getByLabel('Your PIN').fill('4831');
  await confirm.getByRole('button', { name: 'Use $5.00' }).click();
  await expect(billA).toContainText('Left to pay$18.50');
  expect(await table.read()).toMatchObject({ redeemed: 500, due: 1_850 });
  await expect(feast).toHaveText('FeastCan’t be combined with the voucher already used');
  await billA.getByRole('button', { name: 'Undo: Voucher, $5.00' }).click();
  await expect(billA.getByText('Your voucher is back. $5.00 is due again.')).toBeVisible();
  await expect(billA).toContainText('Left to pay$23.50');
  expect(await table.read()).toMatchObject({ redeemed: 0, due: 2_350 });
  await redeem('4831');
  await expect(billA).toContainText('Left to pay$18.50');
  await expectAccessible(a);

  // The other phone pays a half, with a tip.
  const b = await secondPhone(browser, service);
  await sitDown(b, `${table.url}#bill`);
  const billB = billOf(b);
  await expect(billB).toContainText('Left to pay$18.50');
  await expect(billB.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', `${home}#bill`);
  await billB.getByRole('button', { name: 'Pay $18.50' }).click();
  const pay = sheet(b, 'Pay');
  await pay.getByRole('radio', { name: 'An equal share' }).check();
  await pay.getByRole('radio', { name: '10%' }).check();
  await expectAccessible(b);
  await pay.getByRole('button', { name: 'Pay $10.17' }).click();
  await atStripe(b, 'Back');
  await expect(billB.getByRole('heading', { name: 'Your payment isn’t finished' })).toBeFocused();
  await expectAccessible(b);
  await expect(billA.getByText('Guest 1 is paying now')).toBeVisible();
  expect(await table.read()).toMatchObject({ held: 925, due: 1_850 });
  await billB.getByRole('link', { name: 'Continue to payment' }).click();
  await atStripe(b, 'Pay');
  await expect(billB.getByRole('heading', { name: 'Thank you! You paid $10.17.' })).toBeFocused();
  await expect(billA).toContainText('Left to pay$9.25');
  expect(await table.read()).toMatchObject({ paid: 925, tips: 92, held: 0, due: 925 });

  // While the till takes money, nothing can be paid or used on phones.
  const settling = billA.getByText('Our staff are taking payment for this bill.');
  await till.post(`/bills/${table.billId}/settling`, { minutes: 5 });
  await expect(settling).toBeVisible();
  await expect(billA.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  await expectAccessible(a);
  await till.post(`/bills/${table.billId}/settling`, { minutes: 0 });
  await expect(settling).toBeHidden();

  // The till adds a laksa, and the first phone pays the rest.
  await table.send(3);
  await expect(billA).toContainText('Left to pay$19.92');
  await billA.getByRole('button', { name: 'Pay $19.92' }).click();
  await sheet(a, 'Pay').getByRole('button', { name: 'Pay $19.92' }).click();
  await atStripe(a, 'Pay');
  await expect(billA.getByText('Paid in full. Thank you!')).toBeVisible();
  await expect(billB.getByText('Paid in full. Thank you!')).toBeVisible();
  expect(await table.read()).toMatchObject({ state: 'paid', paid: 2_917, tips: 92, due: 0 });
  await expectAccessible(a);

  // What both keep.
  await till.post(`/bills/${table.billId}/close`, {});
  await expect(billB.getByText('Paid. Thank you!')).toBeVisible();
  await expect(billA.getByText(/^Paid\. Thank you, .+!$/)).toBeVisible();
  await expect(billA.getByRole('button', { name: 'Receipt' })).toBeVisible();
  await expectAccessible(a);

  // Opened again, both see it at once; then it is closed for good.
  await till.post(`/bills/${table.billId}/reopen`, { reason: 'Closed the wrong table' });
  for (const bill of [billA, billB]) await expect(bill.getByText('Paid in full. Thank you!')).toBeVisible();
  await till.post(`/bills/${table.billId}/close`, {});
  for (const bill of [billA, billB]) await expect(bill.getByText(/^Paid\. Thank you/)).toBeVisible();
  await table.settle();
  for (const one of [a, b]) {
    await expect(one.getByRole('heading', { level: 1, name: 'Thank you for coming to Kopi & Kaya' })).toBeVisible();
    await one.getByRole('button', { name: 'Receipt' }).click();
    const receipt = sheet(one, 'Receipt').getByRole('article');
    await expect(receipt).toContainText('3 × Laksa$26.70');
    await expect(receipt).toContainText('Left to pay$0.00');
  }
  await expectAccessible(a);
  await b.context().close();
  forgiveStripe(complaints, service);
});

test('without cards, a diner asks for the bill; who signs in or resets the PIN there is led back to it', async ({
  page,
  service,
}) => {
  const { till, home, customer } = await openRestaurant(service, { cardOnBill: false });
  const table = await layTableWithBill(till);
  await sitDown(page, table.url);
  await openBill(page);
  const bill = billOf(page);
  await expect(bill.getByText('Pay at the counter.')).toBeVisible();
  await bill.getByRole('button', { name: 'Ask for the bill' }).click();
  await expect(bill.getByText('We’ve told our staff that you would like the bill.')).toBeVisible();
  await expectAccessible(page);
  await expect(bill.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  await page.goBack();
  await expect(bill).toBeHidden();
  await addToCart(page, 'Laksa');
  await (await openCart(page)).getByRole('button', { name: 'Place order' }).click();
  await sheet(page, 'Ordered at this table').getByRole('button', { name: 'See the bill' }).click();
  await expect(bill).toContainText('1 order is not on the bill yet: $8.90');
  await expect(bill.getByText('Yours')).toHaveCount(0);
  await expect(bill.getByRole('button', { name: 'Itemised bill' })).toBeVisible();
  await bill.getByRole('link', { name: 'Sign in' }).click();
  await identifyDiner(page, service, customer.phone);
  await bill.getByRole('button', { name: 'Other amount' }).click();
  const confirm = sheet(page, 'Confirm with your PIN');
  await confirm.getByRole('link', { name: 'Forgot your PIN?' }).click();
  await page.getByRole('radio', { name: 'With a code: I forgot my PIN' }).check();
  const send = page.getByRole('button', { name: 'Send me a code' });
  const code = await codeSentTo(service, customer.phone, () => send.click());
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByLabel('New PIN').fill('7294');
  await page.getByLabel('Enter it again').fill('7294');
  await page.getByRole('button', { name: 'Save PIN' }).click();
  await expect(page.getByRole('heading', { name: 'Your PIN is saved.' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Back to the bill' }).click();
  await bill.getByRole('button', { name: 'Other amount' }).click();
  await confirm.getByLabel('Amount').fill('99');
  await confirm.getByLabel('Your PIN').fill('7294');
  await confirm.getByRole('button', { name: /^Use/ }).click();
  await expect(confirm.getByText('Enter an amount up to $23.50.')).toBeVisible();
  await confirm.getByLabel('Amount').fill('3.50');
  await confirm.getByRole('button', { name: 'Use $3.50' }).click();
  await expect(bill).toContainText('Left to pay$20.00');
  await expect(bill.getByText('Balance · you')).toBeVisible();

  // Who then opens the account by itself stays there.
  await page.context().clearCookies();
  await page.reload();
  await openBill(page);
  await bill.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, service, home, customer.phone);
});
