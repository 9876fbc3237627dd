import type { Locator } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { atPrice } from '../fixtures/menu-prices';
import { addToCart, layTable, menuItem, openCart, ordersOf, phone, sheet, sitDown } from '../fixtures/table';
import { expect, forgiveLostRequests, test } from '../fixtures/test';
import { scanCode } from '../fixtures/till';

test.use(phone);

test('a diner scans and orders with options; the other phone sees it; the till lists and updates it', async ({
  page,
  till,
  context,
}) => {
  const table = await layTable(till);
  await sitDown(page, scanCode(table.imagePng));
  const neighbour = await context.browser()?.newPage(phone);
  if (!neighbour) throw new Error('there is no second phone');
  await sitDown(neighbour, table.url);

  await addToCart(page, 'Kaya toast set', async (dish) => {
    await expect(dish.getByText('Choose one · Required')).toBeVisible();
    await dish.getByRole('button', { name: 'Add to cart' }).click();
    await expect(dish.getByText('Please choose one.')).toBeVisible();
    await dish.getByRole('radio', { name: 'Iced Milo' }).check();
    await expect(dish.getByRole('button', { name: 'Add to cart' })).toContainText('$8.00');
  });
  await addToCart(page, 'Laksa', async (dish) => {
    const heightOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().height);
    expect(await heightOf(dish.locator('img'))).toBeLessThanOrEqual((await heightOf(dish)) / 3);
    await expect(dish.getByText('Contains: crustaceans, fish, soya', { exact: true })).toBeVisible();
    await dish.getByRole('checkbox', { name: 'Soft-boiled egg eggs' }).check();
    await expect(dish.getByText('Contains: crustaceans, fish, soya, eggs', { exact: true })).toBeVisible();
    await dish.getByRole('checkbox', { name: 'Soft-boiled egg eggs' }).uncheck();
    await dish.getByRole('checkbox', { name: 'More sambal' }).check();
    await dish.getByLabel('Special request').fill('no prawns');
    await dish.getByRole('button', { name: 'One more' }).click();
  });
  await expect(menuItem(page, 'Laksa')).toContainText('2 in your cart');
  const cart = await openCart(page);
  await cart.getByLabel('Note for the kitchen').fill('Toast first, please');
  await expect(cart.getByRole('button', { name: 'Place order' })).toContainText('$26.80');
  await cart.getByRole('button', { name: 'Place order' }).click();
  const ordered = sheet(page, 'Ordered at this table');
  await expect(ordered.getByText('Thank you! Your order is placed.')).toBeVisible();
  await expect(ordered.getByRole('listitem').first()).toContainText('Sent to the kitchen');

  const [order] = await ordersOf(till, table.qrCodeId);
  expect(order).toMatchObject({
    status: 'placed',
    total: 2680,
    note: 'Toast first, please',
    lines: [
      { plu: 'T002', quantity: 1, unitPrice: 800, options: [{ name: 'Iced Milo' }] },
      { plu: 'N001', quantity: 2, unitPrice: 940, note: 'no prawns', options: [{ name: 'More sambal' }] },
    ],
  });
  const clock = new Intl.DateTimeFormat('en-SG', { timeStyle: 'short', timeZone: 'Asia/Singapore' });
  await expect(ordered.getByRole('listitem').first()).toContainText(
    `at ${clock.format(new Date(order?.placedAt ?? 0))}`,
  );

  await neighbour.getByRole('button', { name: /^Order \d+: Sent to the kitchen/ }).click();
  const theirs = sheet(neighbour, 'Ordered at this table');
  await expect(theirs).toContainText('Toast first, please');
  for (const [status, said] of [
    ['accepted', 'Being prepared'],
    ['ready', 'Ready'],
    ['served', 'Served'],
  ] as const) {
    await till.post(`/orders/${order?.orderId}/status`, { status });
    await expect(ordered.getByRole('status').filter({ hasText: `Order ${order?.number}: ${said}` })).toHaveCount(1);
    for (const one of [ordered, theirs]) {
      await expect(one.getByText(said, { exact: true })).toBeVisible();
    }
  }
  await neighbour.close();
});

test('a dish that sells out in the cart is named and set aside, the rest is ordered, and its return is announced', async ({
  page,
  till,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Mee rebus');
  await addToCart(page, 'Chicken rice');
  try {
    await till.post('/stock-outs', { plus: ['N005'] });
    await expect(menuItem(page, 'Mee rebus')).toContainText('Sold out');
    await expect(menuItem(page, 'Mee rebus').getByRole('button')).toHaveCount(0);
    await expect(
      page.getByRole('status').filter({ hasText: 'Sold out, not in your order: Mee rebus' }),
    ).toBeInViewport();
    const cart = await openCart(page);
    const aside = cart.getByRole('region', { name: 'Sold out: not in your order' });
    await expect(aside).toContainText('Mee rebus');
    await expect(cart.getByRole('button', { name: 'Place order' })).toContainText('$8.20');
    await expectAccessible(page);
    await cart.getByRole('button', { name: 'Place order' }).click();
    await expect(cart.getByText('Thank you! Your order is placed.')).toBeVisible();
    await expect(aside).toContainText('Mee rebus');
    const orders = await ordersOf(till, qrCodeId);
    expect(orders.map(({ lines }) => lines.map(({ plu }) => plu))).toEqual([['N004']]);
    // What comes up below moves what is above it.
    await expect(cart.getByText('Sent to the kitchen')).toBeVisible();
    await till.post('/stock-outs/restore', { plus: ['N005'] });
    const back = cart.getByRole('status').filter({ hasText: 'Available again, back in your cart: Mee rebus' });
    await expect(back).toBeVisible();
    await expect(aside).toHaveCount(0);
    await expect(cart.getByText('Thank you! Your order is placed.')).toHaveCount(0);
    await till.post('/stock-outs', { plus: ['N005'] });
    await expect(back).toHaveCount(0);
    await aside.getByRole('button', { name: 'Remove Mee rebus' }).click();
    await expect(aside).toHaveCount(0);
  } finally {
    await till.post('/stock-outs/restore', { plus: ['N005'] });
  }
});

test('a dish that sells out before the phone knows is rejected, and nothing is ordered', async ({
  page,
  till,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Mee siam');
  await addToCart(page, 'Nasi lemak');
  const cart = await openCart(page);
  // The page hears nothing more, and its menu stays what it was until it orders.
  await page.route('**/api/diner/table.{get,changes}*', (route) => route.abort());
  try {
    await till.post('/stock-outs', { plus: ['N002'] });
    await page.route('**/api/diner/table.placeOrder', async (route) => {
      await page.unroute('**/api/diner/table.{get,changes}*');
      await route.continue();
    });
    await cart.getByRole('button', { name: 'Place order' }).click();
    await expect(cart.getByText('Your order was not placed. Please check what has changed.')).toBeVisible();
    await expect(cart.getByRole('region', { name: 'Sold out: not in your order' })).toContainText('Mee siam');
    expect(await ordersOf(till, qrCodeId)).toEqual([]);
    await cart.getByRole('button', { name: 'Place order' }).click();
    await expect(cart.getByText('Thank you! Your order is placed.')).toBeVisible();
    expect((await ordersOf(till, qrCodeId)).map(({ total }) => total)).toEqual([850]);
    forgiveLostRequests(complaints);
  } finally {
    await till.post('/stock-outs/restore', { plus: ['N002'] });
  }
});

test('a changed price is shown, and ordered only once accepted: not by a second tap at the same place', async ({
  page,
  till,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Fried bee hoon');
  await atPrice(qrCodeId, 'N007', 700, async () => {
    const cart = await openCart(page);
    await expect(cart.getByText('The price has changed: $6.40, now $7.00')).toBeVisible();
    await expect(cart.getByRole('button', { name: 'Place order' })).toHaveCount(0);
    await expectAccessible(page);
    await cart.getByRole('button', { name: 'I accept the new prices' }).dblclick();
    await expect(cart.getByRole('button', { name: 'Place order' })).toBeVisible();
    expect(await ordersOf(till, qrCodeId)).toEqual([]);
    await cart.getByRole('button', { name: 'Place order' }).click();
    await expect(page.getByText('Thank you! Your order is placed.').first()).toBeVisible();
    expect((await ordersOf(till, qrCodeId)).map(({ total }) => total)).toEqual([700]);
  });
});

test('an accidental second tap places no order: a button that appears under the finger ignores taps at first', async ({
  page,
  till,
}) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Teh');
  const touched = await page.getByRole('button', { name: 'View cart' }).evaluate((button: HTMLElement) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    button.click();
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const under = document.elementFromPoint(x + width / 2, y + height / 2);
        resolve([under?.closest('dialog') !== null, under?.closest('button')?.textContent ?? null]);
      });
    });
  });
  expect(touched).toEqual([true, null]);
  await sheet(page, 'Your cart').getByRole('button', { name: 'Place order' }).click();
  await expect(sheet(page, 'Ordered at this table').getByText('Thank you! Your order is placed.')).toBeVisible();
});

test('settling a bill turns its open page into a thank-you with this phone’s own record, which strangers do not see', async ({
  page,
  till,
  merchant,
  browser,
}) => {
  const { url, settle } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Teh');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(sheet(page, 'Ordered at this table').getByText('Thank you! Your order is placed.')).toBeVisible();
  await page.keyboard.press('Escape');
  await addToCart(page, 'Kopi', (dish) => dish.getByRole('radio', { name: 'No sugar' }).check());
  await settle();
  const thanks = page.getByRole('heading', { level: 1, name: `Thank you for coming to ${merchant.name}` });
  await expect(thanks).toBeFocused();
  await expect(page.getByRole('button')).toHaveText(['Orders so far']);
  const record = page.getByRole('region', { name: 'Ordered at this table' });
  const notSent = page.getByRole('region', { name: 'Not ordered' });
  const expectRecord = async () => {
    await expect(record).toContainText('1 ×Teh$1.80');
    await expect(record).toContainText('Subtotal $1.80');
    await expect(record).toContainText('Prices exclude 10% service charge and 9% GST.');
    await expect(notSent).toContainText('1 × Kopi, No sugar');
    // The till has not reported a payment.
    await expect(page.getByText(/Amount due|Served/)).toHaveCount(0);
  };
  await expectRecord();
  await expectAccessible(page);
  expect((await page.reload())?.status()).toBe(410);
  await expect(thanks).toBeVisible();
  await expectRecord();
  await record.getByRole('button', { name: 'Orders so far' }).click();
  const receipt = sheet(page, 'Orders so far').getByRole('article');
  await expect(receipt).toContainText('391 Orchard Road');
  await expect(receipt).toContainText('1 × Teh$1.80');
  await expect(receipt).toContainText('Prices exclude 10% service charge and 9% GST.');
  await expect(sheet(page, 'Orders so far').getByRole('button', { name: /Share|Copy/ })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await expect(receipt).toBeVisible();
  await expect(sheet(page, 'Orders so far').getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(thanks).toBeHidden();
  const stranger = await browser.newPage(phone);
  await stranger.goto(url);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(`Thank you for coming to ${merchant.name}`);
  await expect(stranger.getByRole('region')).toHaveCount(0);
  expect(await stranger.content()).not.toContain('Teh');
  await stranger.close();
});

test('a cart can be changed: other options, fewer, none', async ({ page, till }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Kopi', (dish) => dish.getByRole('radio', { name: 'No sugar' }).check());
  await addToCart(page, 'Barley water');
  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Change Kopi' }).click();
  const dish = sheet(page, 'Kopi');
  await expect(dish.getByRole('radio', { name: 'No sugar' })).toBeChecked();
  await dish.getByRole('radio', { name: 'Less sweet' }).check();
  await dish.getByRole('button', { name: 'Save changes' }).click();
  await expect(cart.getByRole('listitem').first()).toContainText('Less sweet');
  await cart.getByRole('group', { name: 'Quantity: Kopi' }).getByRole('button', { name: 'One more' }).click();
  await expect(cart.getByRole('button', { name: 'Place order' })).toContainText('$6.00');
  await cart.getByRole('button', { name: 'Remove Kopi' }).click();
  await cart.getByRole('button', { name: 'Remove Barley water' }).click();
  await expect(cart.getByText('Your cart is empty.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'View cart' })).toHaveCount(0);
});
