import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { tabTo } from '../fixtures/keyboard';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

const figure = (page: Page, term: string) =>
  page.locator('dl > div').filter({ has: page.getByText(term, { exact: true }) });

/** A campaign of 3.00 off the bill; ends on its page. */
async function createCampaign(page: Page, name: string): Promise<void> {
  await page.goto('/vouchers/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Amount off' }).fill('3');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

test('a voucher appears on its customer’s open page as soon as someone else issues it', async ({
  page,
  merchant,
  context,
}) => {
  const phone = merchant.customers[3]?.phone ?? '';
  const name = uniqueName('Seen at once');
  await signIn(page, merchant, `/customers?search=${encodeURIComponent(phone)}`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Vouchers' }).click();
  const other = await context.newPage();
  await createCampaign(other, name);
  await other.getByRole('button', { name: 'Issue vouchers' }).click();
  await other.getByRole('combobox', { name: 'Customer' }).fill(phone);
  await other.getByRole('option').first().click();
  await other.getByRole('button', { name: 'Issue voucher', exact: true }).click();
  await expect(other.getByText('Voucher issued')).toBeVisible();
  await page.bringToFront();
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();
});

test('a voucher is issued by keyboard alone, and a till redeems it', async ({ page, merchant, till }) => {
  await signIn(page, merchant, '/vouchers');
  const name = uniqueName('Three off');
  await tabTo(page, page.getByRole('link', { name: 'New campaign' }).first());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type(name);
  await tabTo(page, page.getByRole('textbox', { name: 'Amount off' }));
  await page.keyboard.type('3');
  await expect(page.getByLabel('Maximum discount')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Example bill' })).toContainText('−$3.00');
  await tabTo(page, page.getByRole('button', { name: 'Create campaign' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

  const customer = merchant.customers[2];
  await tabTo(page, page.getByRole('button', { name: 'Issue vouchers' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Customer' }));
  await page.keyboard.type(customer?.phone ?? '');
  await expect(page.getByRole('option').first()).toContainText(customer?.phone ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(customer?.phone ?? '');
  await tabTo(page, page.getByRole('button', { name: 'Issue voucher', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Voucher issued')).toBeVisible();

  const voucherCode = await page.getByRole('row').locator('code').first().innerText();
  const { discount } = await till.post<{ discount: { amount: number } }>('/transactions/voucher/redeem', {
    transactionId: `e2e-voucher-${Date.now()}`,
    customer: { phone: customer?.phone },
    voucherCode,
    bill: { amount: 2_000 },
  });
  expect(discount.amount).toBe(300);
  await page.reload();
  await expect(figure(page, 'Redeemed')).toContainText('1');
  await expect(figure(page, 'Discount given')).toContainText('$3.00');
  await expect(page.getByRole('row').filter({ hasText: voucherCode })).toContainText('Redeemed');
});

test('an item voucher takes item names from the menu, and its example bill shows the discount', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant, '/vouchers/new');
  const name = uniqueName('Half-price kopi');
  await page.getByLabel('Name', { exact: true }).fill(name);
  // What only a birthday asks for does not stand in the way of an issue by hand.
  await page.getByRole('radio', { name: /^Birthday/ }).check();
  await page.getByLabel('Days before').fill('60');
  await page.getByRole('radio', { name: /^Manual/ }).check();
  await page.getByRole('radio', { name: /Percentage off items/ }).check();
  await page.getByRole('textbox', { name: 'Percentage off' }).fill('50');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByText('Check 1 field')).toBeVisible();
  // A voucher off the bill needs no items.
  await page.getByRole('radio', { name: /Percentage off bill/ }).check();
  await expect(page.getByText('Check 1 field')).toHaveCount(0);
  await page.getByRole('radio', { name: /Percentage off items/ }).check();
  await page.getByRole('combobox', { name: 'Items' }).fill('kopi');
  await page.getByRole('option').first().click();
  const plu = await page.getByRole('list', { name: 'Chosen items' }).locator('.font-mono').innerText();
  await expect(page.getByRole('region', { name: 'Example bill' })).toContainText('Voucher');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(figure(page, 'Items')).toContainText(plu);
  await expect(figure(page, 'Discount')).toContainText('50% off one item');
});

test('a list is checked line by line and issued once to each customer, and a campaign with vouchers keeps its terms', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant);
  const name = uniqueName('For a list');
  await createCampaign(page, name);
  const [first, second] = merchant.customers;
  await page.getByRole('button', { name: 'Issue vouchers' }).click();
  await page.getByRole('tab', { name: 'Paste list' }).click();
  const lines = [first?.phone, second?.email.toUpperCase(), first?.customerId, 'nobody@example.com', 'Mr Smith'];
  await page.getByRole('textbox', { name: 'Customers' }).fill(lines.join('\n'));
  await page.getByRole('tab', { name: 'Segment' }).click();
  const spent = page.getByLabel('Spent at least');
  await spent.fill('5');
  await spent.fill('');
  // Beside the dialog.
  await page.mouse.click(5, 5);
  await page.getByRole('tab', { name: 'Paste list' }).click();
  await page.getByRole('button', { name: 'Check list' }).click();
  const findings = page.getByRole('dialog').getByRole('status');
  await expect(findings).toContainText('This reaches 2 customers.');
  await expect(findings).toContainText('Line 4 nobody@example.com – customer not found');
  await expect(findings).toContainText('Line 5 Mr Smith – not a phone number, e-mail address or ID');
  await page.getByRole('button', { name: 'Issue to 2 customers' }).click();
  await expect(page.getByText('2 vouchers issued')).toBeVisible();
  await expect(figure(page, 'Issued').first()).toContainText('2');

  await page.getByRole('button', { name: 'Cancel voucher' }).first().click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Keep voucher' })).toBeVisible();
  await page.getByRole('dialog').getByLabel('Reason').fill('Sent by mistake');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel voucher' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Sent by mistake' })).toContainText('Cancelled');

  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByText('Customers already hold vouchers of this campaign')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Amount off' })).toHaveCount(0);
  await page.getByLabel('Total issue limit').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter 2 or more: that many are issued already.')).toBeVisible();
  await page.getByLabel('Total issue limit').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(figure(page, 'Total issue limit')).toContainText('2');

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Issue vouchers' })).toHaveCount(0);
});

test('a segment is counted, then the worker issues to it while the page shows the progress', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant);
  await createCampaign(page, uniqueName('For regulars'));
  await page.getByRole('button', { name: 'Issue vouchers' }).click();
  await page.getByRole('tab', { name: 'Segment' }).click();
  await page.getByRole('textbox', { name: 'Spent at least' }).fill('1');
  // It counts by itself.
  const reach = page.getByText(/This reaches [\d,]+ of [\d,]+ customers/);
  await expect(reach).toBeVisible();
  await page.getByRole('textbox', { name: 'Visits, at least' }).fill('1000');
  await expect(page.getByRole('button', { name: 'No customers to issue to' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Visits, at least' }).fill('2');
  const issue = page.getByRole('button', { name: /^Issue to [\d,]+ customers/ });
  await expect(issue).toBeVisible();
  const count = (await issue.innerText()).replace(/\D/g, '');
  await issue.click();
  await expect(page.getByText('Issuing has started')).toBeVisible();
  await expect(figure(page, 'Issued').first()).toContainText(Number(count).toLocaleString('en'), { timeout: 20_000 });
});

test('vouchers are accessible: the list, a campaign, its form and the issue dialog', async ({ page, merchant }) => {
  await signIn(page, merchant, '/vouchers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectScreenAccessible(page);
  await page.goto('/vouchers/new');
  await page.getByRole('radio', { name: /Percentage off items/ }).check();
  await page.getByRole('radio', { name: /^Scheduled/ }).check();
  await page.getByRole('combobox', { name: 'Items' }).fill('kopi');
  await page.getByRole('option').first().click();
  await expectAccessible(page);
  await createCampaign(page, uniqueName('Accessible'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Issue vouchers' }).click();
  for (const tab of ['One customer', 'Paste list', 'Segment']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessible(page);
  }
});
