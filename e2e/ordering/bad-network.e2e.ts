import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import {
  addToCart,
  forgiveLostRequests,
  layTable,
  menuItem,
  openCart,
  ordersOf,
  phone,
  sheet,
  sitDown,
} from '../fixtures/table';
import { expect, test } from '../fixtures/test';

test.use(phone);

/** Orders: it reaches the service, and the answer never comes back. */
async function orderUnheard(page: Page, cart: Locator): Promise<void> {
  await page.route('**/api/diner/table.placeOrder', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByText('We have no answer yet.')).toBeVisible();
}

test('offline, the cart stays and an order waits; back online it is placed once', async ({
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
  await addToCart(page, 'Pulut hitam');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(cart.getByText('Your order is kept on this phone')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByText('Thank you! Your order is placed.').first()).toBeVisible();
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  const orders = await ordersOf(till, qrCodeId);
  expect(orders.map(({ lines }) => lines.map(({ plu }) => plu))).toEqual([['S001', 'S004']]);
  forgiveLostRequests(complaints);
});

test('an answer that is lost and a reload in between make one order', async ({ page, till, complaints }) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await orderUnheard(page, cart);
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  await page.unroute('**/api/diner/table.placeOrder');
  const answer = page.waitForResponse('**/api/diner/table.placeOrder');
  await page.reload();
  expect((await answer).status()).toBe(200);
  await expect(page.getByText('Thank you! Your order is placed.')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

test('an order that waited for more than five minutes is sent only if the diner still wants it', async ({
  page,
  till,
  context,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await page.clock.install();
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  await context.setOffline(true);
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(cart.getByText('after that, we ask you first')).toBeVisible();
  await page.clock.fastForward('05:01');
  await expect(cart.getByText('You will be asked as soon as it is back.')).toBeVisible();
  await context.setOffline(false);
  await expect(cart.getByText('If it reached the kitchen after all')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(phone.viewport);
  await page.keyboard.press('Escape');
  await expect(page.getByText('An order of yours was not confirmed.')).toBeVisible();
  await page.getByRole('button', { name: 'View cart' }).click();
  await cart.getByRole('button', { name: 'Don’t send it' }).click();
  await expect(cart.getByText('What you chose is back in your cart.')).toBeFocused();
  expect(await ordersOf(till, qrCodeId)).toEqual([]);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByText('Thank you! Your order is placed.').first()).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

test('an old order whose answer was lost is not sent when the page is opened again, and sent counts once', async ({
  page,
  till,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await orderUnheard(page, cart);
  await page.unroute('**/api/diner/table.placeOrder');
  await page.goto('/q/settled');
  await page.evaluate((key) => {
    const saved = JSON.parse(localStorage.getItem(key) ?? '');
    saved.pending.askedAt = Date.now() - 6 * 60_000;
    localStorage.setItem(key, JSON.stringify(saved));
  }, `cart:${qrCodeId}`);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/table.placeOrder')) sent += 1;
  });
  await sitDown(page, url);
  await page.getByRole('button', { name: 'View cart' }).click();
  const ordered = sheet(page, 'Ordered at this table');
  await expect(ordered.getByText('it is listed below')).toBeVisible();
  await expect(ordered.getByText('Sent to the kitchen')).toBeVisible();
  expect(sent).toBe(0);
  await ordered.getByRole('button', { name: 'Send it now' }).click();
  await expect(ordered.getByText('Thank you! Your order is placed.')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

test('whether to send an old order is asked beside orders that were fetched since, however slow the network', async ({
  page,
  till,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await page.clock.install();
  // Nothing comes through and nothing fails: the phone believes that it is online.
  let recover = () => {};
  const recovered = new Promise<void>((resolve) => {
    recover = resolve;
  });
  await page.route(/table\.(get|changes)/, async (route) => {
    await recovered;
    await route.continue();
  });
  const isLive = page.waitForRequest(/table\.changes/);
  await page.goto(url);
  await isLive;
  await addToCart(page, 'Chendol');
  await page.route('**/api/diner/table.placeOrder', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(cart.getByText('We have no answer yet.')).toBeVisible();
  await page.clock.fastForward('05:01');
  await expect(cart.getByText('You will be asked as soon as it is back.')).toBeVisible();
  await expect(cart.getByRole('button', { name: 'Don’t send it' })).toHaveCount(0);
  recover();
  const ordered = sheet(page, 'Ordered at this table');
  await expect(ordered.getByRole('button', { name: 'Don’t send it' })).toBeVisible();
  await expect(ordered.getByText('Sent to the kitchen')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
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

test('a cart survives a reload, and the other tab of the phone follows it', async ({ page, till, context }) => {
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
