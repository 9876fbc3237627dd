import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { openFilters, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

test('on a phone, a new PIN appears in the sandbox’s inbox when it is sent', async ({ page, merchant, till }) => {
  // Three an hour for a customer: each run takes another.
  const customer = merchant.customers[3 + (Math.floor(Date.now() / 1000) % 10)];
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, `/messages?customer=${customer?.customerId}`);
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
  await openFilters(page);
  await expect(page.getByRole('button', { name: 'One customer only' })).toBeVisible();
  const codes = page.getByText(/^Code \d{4}$/);
  const settled = page.getByRole('row').or(page.getByText('No results')).first();
  await expect(settled).toBeVisible();
  const before = await codes.count();
  await till.post('/customers/forget-pin', { customer: { phone: customer?.phone } });
  await expect(codes).toHaveCount(before + 1);

  await page.getByLabel('Status', { exact: true }).selectOption('Failed');
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(codes.first()).toBeVisible();
});

test('messages are accessible', async ({ page, merchant, till }) => {
  await till.send('/customers/forget-pin', { customer: { phone: merchant.customers[2]?.phone } });
  await signIn(page, merchant, '/messages');
  await expect(page.getByText(/^Code \d{4}$/).first()).toBeVisible();
  await expectScreenAccessible(page);
});

test('a template is edited, previewed, and turned on and off', async ({ page, merchant }) => {
  await signIn(page, merchant, '/messages');
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByRole('heading', { name: 'Templates' })).toBeVisible();
  await expectAccessible(page);
  const edit = page.getByRole('button', { name: 'Edit Bahasa Melayu, Top-up receipt' });
  await edit.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Terima kasih {name}, {amount}. {nobody}');
  await expect(dialog.getByText('Terima kasih Mei')).toBeVisible();
  await expect(dialog.getByText('Terima kasih {{1}}, {{2}}.')).toBeVisible();
  await dialog.getByRole('switch', { name: 'Send this message' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This message has no such placeholder.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Terima kasih {name}, {amount}.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Template saved')).toBeVisible();
  const row = page.getByRole('listitem').filter({ has: edit });
  await expect(row.getByText('On', { exact: true })).toBeVisible();
  await edit.click();
  await dialog.getByRole('switch', { name: 'Send this message' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText('Off', { exact: true })).toBeVisible();
});
