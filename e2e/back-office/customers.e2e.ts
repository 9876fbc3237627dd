import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { countCalls } from '../fixtures/count-calls';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import type { Till } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

/** An unused phone number: eight digits of the clock. */
const newPhone = () => `81${String(Date.now()).slice(-6)}`;
let serial = 0;
const newId = () => `customers-${Date.now()}-${++serial}`;

const customer = (phone: string) => ({ transactionId: newId(), customer: { phone } });

/** Enrols by hand, and ends on the new customer. */
async function enrol(page: Page, lastName: string, phone: string): Promise<void> {
  await page.goto('/customers');
  await page.getByRole('button', { name: 'Enrol customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('First name').fill('Mei');
  await dialog.getByLabel('Last name').fill(lastName);
  await dialog.getByLabel('Phone').fill(phone);
  await dialog.getByRole('button', { name: 'Enrol customer' }).click();
  await expect(page.getByRole('heading', { name: `Mei ${lastName}`, level: 1 })).toBeVisible();
}

const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

const redeem = (till: Till, phone: string, amount: number) =>
  till.send('/transactions/stored-value/redeem', { ...customer(phone), amount });

test('on a phone, a cashier finds the one customer with a phone number, and lists none', async ({ page, merchant }) => {
  const cashier = merchant.staff.find(({ role }) => role === 'cashier');
  if (!cashier) throw new Error('the demo has no cashier');
  await page.setViewportSize(viewports.phone);
  await signIn(page, { owner: cashier });
  const [lastName, phone] = [uniqueName('Looked'), newPhone()];
  await enrol(page, lastName, phone);
  await page.goto('/customers');
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(0);
  const contact = page.getByLabel('Phone number or e-mail address');
  await contact.fill(phone.slice(0, 7));
  await contact.press('Enter');
  await expect(page.getByText('No customer has this phone number or e-mail address')).toBeVisible();
  await expectAccessible(page);
  await contact.fill(`${phone.slice(0, 4)} ${phone.slice(4)}`);
  await page.getByRole('button', { name: 'Find customer' }).click();
  const found = page.getByRole('link', { name: new RegExp(`Mei ${lastName}`) });
  await expect(found).toBeVisible();
  expect(page.url()).not.toContain(phone.slice(4));
  await expectAccessible(page);
  await found.click();
  await expect(page.getByRole('heading', { name: `Mei ${lastName}`, level: 1 })).toBeVisible();
});

test('a customer is found, adjusted, blocked and unblocked', async ({ page, merchant, till }) => {
  await signIn(page, merchant);
  const [lastName, phone] = [uniqueName('Found'), newPhone()];
  await enrol(page, lastName, phone);

  // By a part of the number, as a customer might read it out.
  await page.goto('/customers');
  await page.getByLabel('Name, phone or e-mail').fill(`${phone.slice(0, 4)} ${phone.slice(4, 7)}`);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('link', { name: `Mei ${lastName}` }).click();
  await expect(page.getByRole('heading', { name: `Mei ${lastName}`, level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.getByRole('dialog');
  // A day that only a bonus has does not stand in the way of what is paid.
  await dialog.getByRole('radio', { name: 'Bonus' }).check();
  await dialog.getByLabel('Expires on').fill('2030-01-31');
  await dialog.getByRole('radio', { name: 'Paid' }).check();
  await dialog.getByLabel('Amount').fill('25');
  await expect(dialog.getByText('$0.00 becomes $25.00')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Cold soup');
  await dialog.getByRole('button', { name: 'Adjust balance' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/Cold soup/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Balances' })).toContainText('$25.00');
  const { storedValue } = await till.get<{ storedValue: { balance: number } }>(
    `/customers/phone/${encodeURIComponent(`+65${phone}`)}/balances`,
  );
  expect(storedValue.balance).toBe(2_500);

  await page.getByRole('button', { name: 'Top up' }).click();
  await dialog.getByRole('radio', { name: 'Top up any amount' }).check();
  await dialog.getByLabel('Amount paid').fill('50');
  await dialog.getByRole('radio', { name: 'Card' }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Top up' }).dblclick();
  await expect(dialog.getByText('New balance: $80.00')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('55.00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Balances' })).toContainText('$80.00');

  await page.getByRole('button', { name: 'Add note' }).click();
  await dialog.getByLabel('Note').fill('Window table\nNo onions');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  const notes = page.getByRole('region', { name: 'Notes' });
  await expect(notes).toContainText('No onions');
  await notes.getByRole('button', { name: 'Remove note' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove note' }).click();
  await expect(notes).toContainText('No notes yet');

  await choose(page, 'Issue voucher');
  await dialog.getByRole('radio').first().check();
  await dialog.getByRole('button', { name: 'Issue voucher' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Voucher issued')).toBeVisible();

  await choose(page, 'Block');
  await page.getByRole('dialog').getByLabel('Reason').fill('Lost phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText('Lost phone – ')).toBeVisible();
  expect(await redeem(till, phone, 500)).toEqual({ status: 402, code: 'customer_blocked' });
  await choose(page, 'Unblock');
  await expect(page.getByText('Customer unblocked')).toBeVisible();
  expect(await redeem(till, phone, 500)).toMatchObject({ status: 200 });
});

test('on a phone, without column headings, the sort order is chosen from a list', async ({ page, merchant }) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/customers');
  await page.getByLabel('Sort by').selectOption('Customer, ascending');
  await expect(page).toHaveURL(/sort=name/);
  await expect(page.getByLabel('Sort by')).toHaveValue('name up');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const names = await page.getByRole('table').getByRole('link').allInnerTexts();
  expect(names.length).toBeGreaterThan(1);
  await page.getByLabel('Sort by').selectOption('Customer, descending');
  await expect(page.getByRole('table').getByRole('link').first()).not.toHaveText(names[0] ?? '');
});

test('a double click sends one new PIN', async ({ page, merchant }) => {
  await signIn(page, merchant);
  await enrol(page, uniqueName('Eager'), newPhone());
  await choose(page, 'Send new PIN');
  const sent = countCalls(page, 'customers.resetPin');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send new PIN' }).dblclick();
  await expect(page.getByText('A new PIN is on its way').first()).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(sent()).toBe(1);
});

test('a long name and e-mail address keep the other columns visible', async ({ page, merchant }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, merchant);
  const [lastName, phone] = [uniqueName('Long').replace(' ', '').padEnd(80, 'g'), newPhone()];
  await enrol(page, lastName, phone);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(`${lastName.slice(0, 60)}@${lastName.slice(0, 60)}.test`.toLowerCase());
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(`/customers?search=${phone}`);
  await expect(page.getByRole('link', { name: lastName })).toBeVisible();
  const hidden = await page.getByRole('table').evaluate(({ parentElement: box }) => {
    return box ? box.scrollWidth - box.clientWidth : null;
  });
  expect(hidden).toBe(0);
});

test('a pause in typing after a first name loses no space', async ({ page, merchant }) => {
  await signIn(page, merchant, '/customers');
  const search = page.getByLabel('Name, phone or e-mail');
  await search.fill('mei ');
  await expect(page).toHaveURL(/search=mei$/);
  await search.pressSequentially('tan');
  await expect(search).toHaveValue('mei tan');
  await expect(page).toHaveURL(/search=mei(\+|%20)tan$/);
});

test('personal data is erased once the name is typed as shown', async ({ page, merchant, till }) => {
  await signIn(page, merchant);
  const [lastName, phone] = [uniqueName('Gone'), newPhone()];
  // A till may send invisible spaces.
  await till.post('/customers', { givenName: 'Mei ', lastName, phone });
  await page.goto('/customers');
  await page.getByLabel('Name, phone or e-mail').fill(phone);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('link', { name: `Mei ${lastName}` }).click();
  await choose(page, 'Erase personal data');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Erase personal data' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Type').fill(`Mei ${lastName}`);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Erased customer', level: 1 })).toBeVisible();
  expect(await redeem(till, phone, 500)).toEqual({ status: 404, code: 'customer_not_found' });
});

test('duplicates are merged, after a look at the effect, and the old number pays from the kept balance', async ({
  page,
  merchant,
  till,
}) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant);
  const [lastName, phone, email] = [uniqueName('Twice'), newPhone(), `${newId()}@example.com`];
  const { customerId } = await till.post<{ customerId: string }>('/customers', { givenName: 'Mei', lastName, phone });
  const kept = await till.post<{ customerId: string }>('/customers', { givenName: 'Mei', lastName, email });
  await page.goto(`/customers/${customerId}`);
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('25');
  await dialog.getByLabel('Reason').fill('Goodwill');
  await dialog.getByRole('button', { name: 'Adjust balance' }).click();
  await expect(dialog).toHaveCount(0);
  await choose(page, 'Merge with…');
  await dialog.getByLabel('Customer').fill(email);
  await page.getByRole('option', { name: email }).click();
  const effect = dialog.getByRole('region', { name: 'Effect of the merge' });
  await expect(effect).toContainText('$25.00');
  await dialog.getByRole('radio', { name: email }).check();
  await expect(effect).toContainText('$0.00$25.00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Merge customers' }).click();
  await expect(page).toHaveURL(new RegExp(kept.customerId));
  await expect(page.getByRole('region', { name: 'Balances' })).toContainText('$25.00');
  expect(await redeem(till, phone, 500)).toMatchObject({ status: 200 });
  await page.getByRole('link', { name: `Mei ${lastName}` }).click();
  await expect(page.getByText('Merged into')).toBeVisible();
  await expect(page.getByRole('button', { name: 'More actions' })).toHaveCount(0);
  await expectAccessible(page);
});

test('customers are accessible: the list, a customer, and the dialogs', async ({ page, merchant }) => {
  await signIn(page, merchant, '/customers');
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'Enrol customer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enrol customer' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/customers/${merchant.customers[0]?.customerId}`);
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expectScreenAccessible(page);
  for (const tab of ['Vouchers', 'Credits', 'Sales', 'Messages']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel').locator('table, p').first()).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});

test('what is wrong with a form is told in Chinese, by the schema and by the service', async ({
  page,
  merchant,
  demo,
}) => {
  await signIn(page, merchant);
  await page.context().addCookies([{ name: 'language', value: 'zh', url: demo.origin }]);
  await page.goto('/customers');
  await page.getByRole('button', { name: '登记顾客' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: '登记顾客' });
  await send.click();
  await expect(dialog.getByText('必填', { exact: true })).toBeVisible();
  await dialog.getByLabel('名', { exact: true }).fill('美');
  await send.click();
  await expect(dialog.getByText('请填写电话或电子邮箱。')).toBeVisible();
  await dialog.getByLabel('电话').fill('12');
  await send.click();
  await expect(dialog.getByText('电话号码无效。')).toBeVisible();
});
