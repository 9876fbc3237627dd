/** The card that stays on a table, photographed or not. */
import { expectAccessible } from '../fixtures/accessibility';
import { newCard } from '../fixtures/card';
import { addToCart, openCart, ordersOf, phone } from '../fixtures/table';
import { expect, test } from '../fixtures/test';
import { newBillId } from '../fixtures/till';

test.use(phone);

test('a card shows the menu to read, moves on to the bill that the till opens, and to the next one', async ({
  page,
  merchant,
  till,
  browser,
}) => {
  const { url, table } = await newCard(browser, merchant);
  const answer = await page.goto(url);
  const headers = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' };
  expect(answer?.headers()).toMatchObject({ ...headers, 'cache-control': expect.stringContaining('no-store') });
  await expect(page.getByText('Once our staff open your bill, you can order on this page.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose Laksa' }).click();
  await expect(page.getByRole('dialog', { name: 'Laksa' })).toContainText('$8.90');
  await expect(page.getByRole('button', { name: 'Add to cart' })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectAccessible(page);

  const billId = newBillId();
  await till.generateQrCode({ billId, table: table.toLowerCase() });
  await expect(page).toHaveURL(/\/q\/[\w-]{64}$/);
  await addToCart(page, 'Laksa');
  await openCart(page);
  await till.post('/qr-codes/invalidate', { billId });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Thank you for coming');

  await page.goto(url);
  await expect(page.getByText('Once our staff open your bill')).toBeVisible();
  await till.generateQrCode({ billId: newBillId(), table });
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'View cart' })).toHaveCount(0);
});

test('the first order by a card reaches the till only once staff have accepted it', async ({
  page,
  merchant,
  till,
  browser,
}) => {
  const { url, table, staff } = await newCard(browser, merchant);
  const { qrCodeId } = await till.generateQrCode({ billId: newBillId(), table });
  await page.goto(url);
  await expect(page.getByText('Our staff accept the first order at your table.')).toBeVisible();
  await addToCart(page, 'Laksa');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  // The sheet has another title once the cart is empty.
  const ordered = page.getByRole('dialog');
  await expect(ordered.getByText('Our staff will accept your order in a moment.').first()).toBeVisible();
  await expect(ordered.getByText('Waiting for our staff').first()).toBeVisible();
  await expectAccessible(page);
  expect(await ordersOf(till, qrCodeId)).toEqual([]);

  await staff.goto('/orders');
  await staff
    .getByLabel('Store')
    .first()
    .selectOption(merchant.stores[0]?.name ?? '');
  await staff.getByRole('button', { name: `Decline the order of ${table}` }).click();
  const declining = staff.getByRole('alertdialog', { name: `Decline the order of ${table}?` });
  await expect(declining).toContainText('1× Laksa');
  await expectAccessible(staff);
  await declining.getByRole('button', { name: 'Cancel' }).click();
  await staff.getByRole('button', { name: `Guests are here ${table}` }).click();
  await expect(staff.getByText(`Now under New: ${table}`)).toBeVisible();
  await expect(ordered.getByText('Sent to the kitchen').first()).toBeVisible();
  await expect(ordered.getByText('Our staff will accept your order in a moment.')).toHaveCount(0);
  expect(await ordersOf(till, qrCodeId)).toMatchObject([{ status: 'placed', lines: [{ quantity: 1 }] }]);

  await ordered.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Call staff' }).click();
  const calls = page.getByRole('dialog', { name: 'Call staff' });
  await calls.getByRole('button', { name: 'Call staff to the table' }).click();
  await expect(calls.getByText('Someone will be with you shortly.')).toBeVisible();
  await staff.getByRole('button', { name: new RegExp(`^Answered: .*${table}`) }).click();
  await expect(calls.getByRole('status').filter({ hasText: 'Our staff are on their way.' })).toBeVisible();
  await expectAccessible(page);
  await calls.getByRole('button', { name: 'Call staff to the table' }).click();
  await calls.getByRole('button', { name: 'Cancel this call' }).click();
  await expect(calls.getByText('Our staff are on their way.')).toHaveCount(0);
});

test('a replaced card says so, in the reader’s language', async ({ page, merchant, browser }) => {
  const { url, table, staff } = await newCard(browser, merchant);
  await staff.goto('/tables');
  await staff.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
  await staff.getByRole('button', { name: `Table ${table}` }).click();
  await staff.getByRole('dialog').getByRole('button', { name: 'Replace QR code' }).click();
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Replace QR code' }).click();
  await expect(staff.getByText(`Table ${table} has a new card.`)).toBeVisible();
  expect((await page.goto(url))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This card doesn’t work');
  await page
    .context()
    .addCookies([{ name: 'diner_language', value: 'ja', domain: 'localhost', path: '/', sameSite: 'Lax' }]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('このカードは使えません');
  await expectAccessible(page);
});
