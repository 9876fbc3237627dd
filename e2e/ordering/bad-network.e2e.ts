/** The page without a network or a live stream, reloaded, or tapped twice: nothing is lost and nothing ordered twice. */
import { expectAccessible } from '../fixtures/accessibility';
import { addToCart, layTable, menuItem, openCart, ordersOf, phone, sheet, sitDown } from '../fixtures/table';
import { expect, forgiveLostRequests, test } from '../fixtures/test';

test.use(phone);

test('offline, the cart stays and an order waits, or is taken back; back online it is placed once', async ({
  page,
  till,
  context,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await addToCart(page, 'Pulut hitam', (dish) => expect(dish.getByText('You are offline.')).toBeVisible());
  const cart = await openCart(page);
  await expect(cart.getByText('You are offline.')).toBeVisible();
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(cart.getByText('We’ll send it when you’re back online.')).toBeVisible();
  await expectAccessible(page);
  await cart.getByRole('button', { name: 'Don’t send' }).click();
  await expect(cart.getByText('What you chose is back in your cart.')).toBeFocused();
  await cart.getByRole('button', { name: 'Place order' }).click();
  await cart.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Not sent yet: no connection' })).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByText('Thank you! Your order is placed.').first()).toBeVisible();
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  const orders = await ordersOf(till, qrCodeId);
  expect(orders.map(({ lines }) => lines.map(({ plu }) => plu))).toEqual([['S001', 'S004']]);
  forgiveLostRequests(complaints);
});

test('a reload without a network keeps the menu and the cart; with one, a closed table is closed, and its copy gone', async ({
  page,
  till,
  context,
  complaints,
}) => {
  const { url, settle } = await layTable(till);
  await page.route('**/photos/**', (route) => route.abort());
  await sitDown(page, url);
  // A photo that can't load leaves its place plain, without the browser's broken icon.
  const photo = menuItem(page, 'Laksa').locator('img');
  await photo.scrollIntoViewIfNeeded();
  await expect(photo).toHaveAttribute('src', /^data:/);
  await addToCart(page, 'Chendol');
  const isKept = () => page.evaluate(async (kept) => (await caches.match(kept)) !== undefined, url);
  await expect.poll(isKept).toBe(true);
  await context.setOffline(true);
  await page.reload();
  // Chromium 150 forgets that it emulates this when a service worker serves the reload.
  await context.setOffline(false);
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(menuItem(page, 'Chendol')).toContainText('1 in your cart');
  await addToCart(page, 'Pulut hitam');
  await page.unroute('**/photos/**');
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  await expect(photo).toHaveAttribute('src', /\/photos\//);
  await page.goto('/robots.txt');
  await settle();
  expect((await page.goto(url))?.status()).toBe(410);
  await expect.poll(isKept).toBe(false);
  forgiveLostRequests(complaints);
});

test('where event streams are blocked, the table is fetched periodically', async ({ page, till }) => {
  const { url, qrCodeId } = await layTable(till);
  await page.clock.install();
  let asked = 0;
  await page.route(/table\.changes/, () => {
    asked += 1;
  });
  await page.goto(url);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  const ordered = sheet(page, 'Ordered at this table');
  await expect(ordered.getByText('Sent to the kitchen')).toBeVisible();
  const [order] = await ordersOf(till, qrCodeId);
  await till.post(`/orders/${order?.orderId}/status`, { status: 'accepted' });
  await page.clock.fastForward('00:16');
  await expect(ordered.getByText('Being prepared', { exact: true })).toBeVisible();
  await expect.poll(() => asked).toBeGreaterThan(1);
});

test('a double tap makes one order', async ({ page, till }) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).dblclick();
  await expect(sheet(page, 'Ordered at this table').getByText('Thank you! Your order is placed.')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
});

test('a cart survives a reload, and the phone’s other tab follows it', async ({ page, till, context }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  const other = await context.newPage();
  await sitDown(other, url);
  await addToCart(page, 'Kopi O');
  await expect(menuItem(other, 'Kopi O')).toContainText('1 in your cart');
  await addToCart(other, 'Kopi O');
  await page.reload();
  await expect(menuItem(page, 'Kopi O')).toContainText('2 in your cart');
  await expect(page.getByRole('button', { name: 'View cart 2 items' })).toBeVisible();
});
