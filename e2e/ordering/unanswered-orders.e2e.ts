/** Orders whose answer the phone has not heard: they are found, sent once more or given back, and never made twice. */
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { addToCart, layTable, openCart, ordersOf, phone, sheet, sitDown } from '../fixtures/table';
import { expect, forgiveLostRequests, test } from '../fixtures/test';

test.use(phone);

const placing = '**/api/diner/table.placeOrder';
const reading = '**/api/diner/table.get*';

/** Orders while no response arrives, nor anything else of the table. `arrives`: the order does reach the service. */
async function orderUnheard(page: Page, cart: Locator, { arrives }: { arrives: boolean }): Promise<void> {
  await page.route(reading, (route) => route.abort());
  await page.route(placing, async (route) => {
    if (arrives) await route.fetch();
    // One that is under way when the network comes back goes on by itself.
    await route.abort().catch(() => {});
  });
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByText('No answer yet.')).toBeVisible();
}

/** Simulates that the phone was unused for six minutes. */
async function waitSixMinutes(page: Page, url: string): Promise<void> {
  await page.evaluate(
    (key) => {
      const saved = JSON.parse(localStorage.getItem(key) ?? '');
      saved.pending.askedAt = Date.now() - 6 * 60_000;
      localStorage.setItem(key, JSON.stringify(saved));
    },
    `cart:${url.split('/q/')[1]}`,
  );
}

test('a lost response and a reload still make one order', async ({ page, till, complaints }) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await orderUnheard(page, cart, { arrives: true });
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  await page.reload();
  await expect(page.getByText('Thank you! Your order is placed.')).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

test('an order pending for more than five minutes is sent only if the diner still wants it', async ({
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
  await expect(cart.getByText('After 5 minutes we’ll ask first.')).toBeVisible();
  await page.clock.fastForward('05:01');
  await context.setOffline(false);
  await expect(cart.getByText('has not reached the kitchen')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByText('One of your orders was not confirmed.')).toBeVisible();
  await page.getByRole('button', { name: 'View cart' }).click();
  await cart.getByRole('button', { name: 'Don’t send' }).click();
  await expect(cart.getByText('What you chose is back in your cart.')).toBeFocused();
  expect(await ordersOf(till, qrCodeId)).toEqual([]);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByText('Thank you! Your order is placed.').first()).toBeVisible();
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

test('an old order whose response was lost is found when the page is reopened: nothing is asked or sent', async ({
  page,
  till,
  complaints,
}) => {
  const { url, qrCodeId } = await layTable(till);
  await sitDown(page, url);
  await addToCart(page, 'Chendol');
  const cart = await openCart(page);
  await orderUnheard(page, cart, { arrives: true });
  await page.goto('/q/settled');
  await page.unroute(placing);
  await page.unroute(reading);
  await waitSixMinutes(page, url);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/table.placeOrder')) sent += 1;
  });
  await sitDown(page, url);
  await expect(page.getByText('Thank you! Your order is placed.')).toBeVisible();
  await page.getByRole('button', { name: /^Order \d+: Sent to the kitchen/ }).click();
  const ordered = sheet(page, 'Ordered at this table');
  await expect(ordered.getByText('Sent to the kitchen')).toBeVisible();
  await expect(ordered.getByRole('button', { name: 'Send it now' })).toHaveCount(0);
  expect(sent).toBe(0);
  expect(await ordersOf(till, qrCodeId)).toHaveLength(1);
  forgiveLostRequests(complaints);
});

for (const arrives of [true, false]) {
  test(`the diner is asked about an old order once it is known not to have arrived, however slow the network (arrives: ${arrives})`, async ({
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
    await page.route(placing, async (route) => {
      if (arrives) await route.fetch();
      await route.abort();
    });
    const cart = await openCart(page);
    await cart.getByRole('button', { name: 'Place order' }).click();
    await expect(cart.getByText('No answer yet.')).toBeVisible();
    await page.clock.fastForward('05:01');
    await expect(cart.getByText('We don’t know yet whether your order arrived.')).toBeVisible();
    await expect(cart.getByRole('button', { name: 'Don’t send' })).toHaveCount(0);
    recover();
    if (arrives) {
      const ordered = sheet(page, 'Ordered at this table');
      await expect(ordered.getByText('Thank you! Your order is placed.')).toBeVisible();
      await expect(ordered.getByText('Sent to the kitchen')).toBeVisible();
      await expect(ordered.getByRole('button', { name: 'Don’t send' })).toHaveCount(0);
    } else {
      await expect(cart.getByRole('button', { name: 'Don’t send' })).toBeVisible();
    }
    expect(await ordersOf(till, qrCodeId)).toHaveLength(arrives ? 1 : 0);
    forgiveLostRequests(complaints);
  });
}

/** What a phone says of its network: pages try again at once. */
const backOnline = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));

const fates = [
  [true, 'Thank you! Your order is placed.'],
  [false, 'Your order was not placed. Please ask our staff.'],
] as const;

for (const [arrives, told] of fates) {
  test(`a table that closes while an order is pending shows the order’s outcome: ${told}`, async ({
    page,
    till,
    merchant,
    complaints,
  }) => {
    const { url, qrCodeId, settle } = await layTable(till);
    await sitDown(page, url);
    await addToCart(page, 'Chendol');
    const cart = await openCart(page);
    await orderUnheard(page, cart, { arrives });
    await settle();
    await page.unroute(reading);
    await backOnline(page);
    await expect(page.getByRole('heading', { name: `Thank you for coming to ${merchant.name}` })).toBeVisible();
    await expect(page.getByText('No answer yet.')).toBeVisible();
    await page.unroute(placing);
    await backOnline(page);
    await expect(page.getByText(told)).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole('region', { name: 'Ordered at this table' })).toHaveCount(arrives ? 1 : 0);
    await expect(page.getByRole('region', { name: 'Not ordered' })).toHaveCount(arrives ? 0 : 1);
    expect(await ordersOf(till, qrCodeId)).toHaveLength(arrives ? 1 : 0);
    // That the order is refused is told there as well.
    const others = complaints.filter((text) => !text.includes('status of 409'));
    complaints.splice(0, complaints.length, ...others);
    forgiveLostRequests(complaints);
  });

  test(`a page opened after its table has closed shows an old order’s outcome: ${told}`, async ({
    page,
    till,
    complaints,
  }) => {
    const { url, settle } = await layTable(till);
    await sitDown(page, url);
    await addToCart(page, 'Chendol');
    const cart = await openCart(page);
    await orderUnheard(page, cart, { arrives });
    await page.goto('/q/settled');
    await page.unroute(placing);
    await page.unroute(reading);
    await waitSixMinutes(page, url);
    await settle();
    const answered = page.waitForResponse(placing);
    await page.goto(url);
    await answered;
    await expect(page.getByText(told)).toBeVisible();
    const isPending = () =>
      page.evaluate((token) => /"pending":\{/.test(localStorage.getItem(`cart:${token}`) ?? ''), url.split('/').at(-1));
    await expect.poll(isPending).toBe(false);
    await expect(page.getByRole('region', { name: 'Not ordered' })).toHaveCount(arrives ? 0 : 1);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(told)).toHaveCount(0);
    const others = complaints.filter((text) => !/status of (404|409|410)/.test(text));
    complaints.splice(0, complaints.length, ...others);
    forgiveLostRequests(complaints);
  });
}
