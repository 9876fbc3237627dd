import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import type { Demo, DemoMerchant } from '../fixtures/demo';
import { orderAtTable } from '../fixtures/order-at-table';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId, openTill, type Till } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

/** A table with diners at the till's store. */
async function openTable(till: Till, merchant: DemoMerchant) {
  const table = uniqueName('Table');
  const { qrCodeId } = await till.generateQrCode({ billId: newBillId(), table });
  const order = (note?: string, minutesAgo = 0) => {
    const lines = [{ plu: merchant.menu[0]?.plu ?? '', quantity: 2 }];
    return orderAtTable(qrCodeId, lines, note, new Date(Date.now() - minutesAgo * 60_000));
  };
  return { table, qrCodeId, order };
}

/** Serves the open orders of all stores, those of other tests included. */
async function serveAll({ stores }: DemoMerchant, { origin }: Demo): Promise<void> {
  for (const { apiKey } of stores) {
    const till = openTill(origin, apiKey);
    for (const status of ['placed', 'accepted', 'ready']) {
      const { items } = await till.get<{ items: { orderId: string }[] }>(`/orders?limit=100&status=${status}`);
      for (const { orderId } of items) await till.post(`/orders/${orderId}/status`, { status: 'served' });
    }
  }
}

/** The board of the till's store. */
async function openBoard(page: Page, merchant: DemoMerchant): Promise<void> {
  await page.goto('/orders');
  await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
  await expect(page.getByRole('heading', { level: 2, name: /^(New|Accepted|Ready|Done)/ }).first()).toBeVisible();
}

const inColumn = (page: Page, column: string, table: string) =>
  page.getByRole('region', { name: new RegExp(`^${column}`) }).getByRole('article', { name: table });

test('an order appears on the board at once, and the other board and the till see each step', async ({
  page,
  merchant,
  till,
  context,
}) => {
  const { table, qrCodeId, order } = await openTable(till, merchant);
  await signIn(page, merchant);
  await openBoard(page, merchant);
  const kitchen = await context.newPage();
  await openBoard(kitchen, merchant);

  const { orderId } = await order('no chilli');
  await expect(inColumn(kitchen, 'New', table)).toBeVisible();
  await expect(inColumn(kitchen, 'New', table)).toContainText('no chilli');
  await expect(inColumn(kitchen, 'New', table)).toContainText(`2×${merchant.menu[0]?.name}`);

  await inColumn(kitchen, 'New', table).getByRole('button', { name: 'Accept' }).click();
  await inColumn(kitchen, 'Accepted', table).getByRole('button', { name: 'Mark ready' }).click();
  await expect(inColumn(page, 'Ready', table)).toBeVisible();
  const moved = kitchen.getByText(`${table}: Ready`);
  await kitchen.getByRole('group').filter({ has: moved }).getByRole('button', { name: 'Undo' }).click();
  await expect(moved).toHaveCount(0);
  await expect(inColumn(page, 'Accepted', table)).toBeVisible();
  await inColumn(kitchen, 'Accepted', table).getByRole('button', { name: 'Mark ready' }).click();
  await expect(inColumn(kitchen, 'Ready', table)).toBeVisible();
  await expect(inColumn(page, 'Ready', table)).toBeVisible();
  const { orders } = await till.get<{ orders: { orderId: string; status: string }[] }>(`/qr-codes/${qrCodeId}`);
  expect(orders).toMatchObject([{ orderId, status: 'ready' }]);

  await till.post(`/orders/${orderId}/status`, { status: 'served' });
  await expect(inColumn(page, 'Done', table)).toContainText('Served');
  await expect(inColumn(kitchen, 'Done', table)).toContainText('Served');
});

test('by keyboard alone: after an order is accepted, the next one in its place has the focus', async ({
  page,
  merchant,
  till,
}) => {
  const tables = [await openTable(till, merchant), await openTable(till, merchant)];
  for (const { order } of tables) await order();
  await signIn(page, merchant);
  await openBoard(page, merchant);
  const accept = ({ table }: { table: string }) => inColumn(page, 'New', table).getByRole('button', { name: 'Accept' });
  const [first, second] = tables;
  if (!first || !second) throw new Error('two tables were laid');
  await expect(accept(second)).toBeEnabled();
  const others = await page.getByRole('region', { name: /^New/ }).getByRole('article').count();
  await accept(first).focus();
  await page.keyboard.press('Enter');
  await expect(inColumn(page, 'Accepted', first.table)).toBeVisible();
  await expect(accept(second)).toBeFocused();
  await expect(accept(second)).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(inColumn(page, 'Accepted', second.table)).toBeVisible();
  // Other tests may have orders on this board.
  if (others === 2) await expect(page.getByRole('region', { name: /^New/ })).toBeFocused();
});

test('an order is cancelled after a confirmation, which cannot be undone', async ({ page, merchant, till }) => {
  const { table, qrCodeId, order } = await openTable(till, merchant);
  await order();
  await signIn(page, merchant);
  await openBoard(page, merchant);
  const card = inColumn(page, 'New', table);
  await card.getByRole('button', { name: /^Cancel order #/ }).click();
  await page.getByRole('button', { name: 'Keep order' }).click();
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: /^Cancel order #/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(inColumn(page, 'Done', table)).toContainText('Cancelled');
  const { orders } = await till.get<{ orders: { status: string }[] }>(`/qr-codes/${qrCodeId}`);
  expect(orders).toMatchObject([{ status: 'cancelled' }]);
});

test('an outdated step is rejected with an explanation, and the board shows the current state', async ({
  page,
  merchant,
  till,
  complaints,
}) => {
  const { table, order } = await openTable(till, merchant);
  const { orderId } = await order();
  await signIn(page, merchant);
  // A board that hears nothing for a while.
  await page.route('**/api/trpc/changes*', (route) => route.abort());
  await openBoard(page, merchant);
  await expect(inColumn(page, 'New', table)).toBeVisible();
  await till.post(`/orders/${orderId}/status`, { status: 'served' });
  await inColumn(page, 'New', table).getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText("The order is served; it can't be accepted now.").first()).toBeVisible();
  await expect(inColumn(page, 'Done', table)).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The stream that the test itself cut off is told by the console.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('net::ERR_FAILED')));
});

test('a board whose stream does not start is refreshed, reconnects, and is live from then on', async ({
  page,
  merchant,
  till,
}) => {
  const { table, order } = await openTable(till, merchant);
  await signIn(page, merchant);
  await page.clock.install();
  let asked = 0;
  await page.route('**/api/trpc/changes*', async (route) => {
    asked += 1;
    if (asked > 1) await route.continue();
  });
  const live = page.waitForResponse('**/api/trpc/changes*');
  await openBoard(page, merchant);
  await expect.poll(() => asked).toBeGreaterThan(0);
  const { orderId } = await order();
  await page.clock.fastForward('00:16');
  await expect(inColumn(page, 'New', table)).toBeVisible();
  await live;
  await till.post(`/orders/${orderId}/status`, { status: 'accepted' });
  await expect(inColumn(page, 'Accepted', table)).toBeVisible();
});

test('late and very late orders are marked in words and colour', async ({ page, merchant, demo, till }) => {
  await serveAll(merchant, demo);
  const ages = [14, 16, 31] as const;
  const tables = [];
  for (const minutes of ages) {
    const opened = await openTable(till, merchant);
    await opened.order('', minutes);
    tables.push(opened.table);
  }
  const [onTime = '', late = '', veryLate = ''] = tables;
  await signIn(page, merchant);
  await openBoard(page, merchant);
  const waiting = (table: string) => inColumn(page, 'New', table).getByRole('time');
  await expect(waiting(onTime)).toHaveText('14 min');
  await expect(waiting(late)).toHaveText('Late · 16 min');
  await expect(waiting(veryLate)).toHaveText('Very late · 31 min');
  const colours = await Promise.all(
    [onTime, late, veryLate].map((table) =>
      waiting(table).evaluate((time) => getComputedStyle(time.firstElementChild ?? time).color),
    ),
  );
  expect(new Set(colours).size).toBe(3);
  // Next to a long name there is no room for the mark, which goes below instead of breaking the name.
  await page.setViewportSize({ width: 1280, height: 900 });
  const name = await inColumn(page, 'New', veryLate).getByRole('heading').boundingBox();
  const mark = await waiting(veryLate).boundingBox();
  expect(mark?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  await serveAll(merchant, demo);
});

test('the board of all stores shows whose each order is, and works as that of one', async ({
  page,
  merchant,
  demo,
  till,
}) => {
  test.setTimeout(120_000);
  await serveAll(merchant, demo);
  const [north, south] = merchant.stores;
  if (!north || !south) throw new Error('the demo merchant has two stores');
  const elsewhere = openTill(demo.origin, south.apiKey);
  const there = await openTable(elsewhere, merchant);
  const { orderId } = await there.order('', 20);
  await signIn(page, merchant, '/home');
  const lateOrders = page.getByRole('link', { name: /late$/ });
  await expect(lateOrders).toHaveText('1 order is late');
  await lateOrders.click();
  const stores = page.getByRole('combobox', { name: 'Store' });
  await expect(stores).toHaveValue(/^[0-9a-f-]{36}$/);
  await expect(inColumn(page, 'New', there.table)).not.toContainText(south.name);

  await stores.selectOption('All stores');
  await expect(page).toHaveURL(/[?&]store=all/);
  const card = (column: string) => inColumn(page, column, `${there.table}, ${south.name}`);
  await expect(card('New')).toContainText(south.name);
  const here = await openTable(till, merchant);
  await here.order('Birthday: please bring a candle', 40);
  await expect(inColumn(page, 'New', `${here.table}, ${north.name}`)).toContainText('Very late');
  await expectAccessible(page);
  await page.setViewportSize(viewports.desktop);

  await card('New').getByRole('button', { name: 'Accept' }).click();
  await expect(card('Accepted')).toBeVisible();
  const moved = page.getByText(`${there.table}, ${south.name}: Accepted`);
  await page.getByRole('group').filter({ has: moved }).getByRole('button', { name: 'Undo' }).click();
  await expect(card('New')).toBeVisible();
  await elsewhere.post(`/orders/${orderId}/status`, { status: 'served' });
  await expect(card('Done')).toBeVisible();

  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = page.getByRole('dialog').getByRole('link', { name: 'Export CSV' });
  await expect(download).not.toHaveAttribute('href', /storeId/);
  await there.order('', 20);
  await page.goto('/home');
  await expect(lateOrders).toHaveAttribute('href', '/orders?store=all');
  await serveAll(merchant, demo);
});

test.describe('on a phone in the kitchen', () => {
  test.use({ viewport: viewports.phone });

  test('the board opens at the first status with orders', async ({ page, merchant, demo, till }) => {
    await serveAll(merchant, demo);
    const { table, order } = await openTable(till, merchant);
    const { orderId } = await order();
    await till.post(`/orders/${orderId}/status`, { status: 'accepted' });
    await signIn(page, merchant);
    await openBoard(page, merchant);
    await expect(inColumn(page, 'Accepted', table)).toBeVisible();
    const statuses = page.getByRole('group', { name: 'Statuses' });
    await expect(statuses.getByRole('button', { name: 'Accepted 1' })).toHaveAttribute('aria-pressed', 'true');
    await expect(statuses.getByRole('button', { name: /^Done \d+/ })).toBeVisible();
  });

  test('one state is visible, and a tap updates an order', async ({ page, merchant, till }) => {
    const { table, order } = await openTable(till, merchant);
    await order();
    await signIn(page, merchant);
    await openBoard(page, merchant);
    await inColumn(page, 'New', table).getByRole('button', { name: 'Accept' }).click();
    await expect(inColumn(page, 'New', table)).toHaveCount(0);
    await page
      .getByRole('group', { name: 'Statuses' })
      .getByRole('button', { name: /^Accepted/ })
      .click();
    await expect(inColumn(page, 'Accepted', table)).toBeVisible();
  });

  test('a double tap does not update a card that has just moved under the finger', async ({ page, merchant, till }) => {
    const first = await openTable(till, merchant);
    const second = await openTable(till, merchant);
    await first.order();
    await second.order();
    await signIn(page, merchant);
    await openBoard(page, merchant);
    const accept = inColumn(page, 'New', second.table).getByRole('button', { name: 'Accept' });
    await expect(accept).not.toHaveAttribute('aria-disabled');
    // As soon as the first card is gone.
    const tapped = page.evaluate(
      ([gone, slid]) =>
        new Promise<void>((resolve) => {
          const card = (table?: string) => document.querySelector(`article[aria-label^="${table} #"]`);
          const observer = new MutationObserver(() => {
            if (card(gone)?.closest('section')?.contains(card(slid))) return;
            observer.disconnect();
            card(slid)?.querySelector('button')?.click();
            resolve();
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
      [first.table, second.table],
    );
    await inColumn(page, 'New', first.table).getByRole('button', { name: 'Accept' }).click();
    await tapped;
    await expect(accept).not.toHaveAttribute('aria-disabled');
    await accept.click();
    await expect(inColumn(page, 'New', second.table)).toHaveCount(0);
  });
});

test('nothing overflows a card, which shows the diners’ number, at any width', async ({ page, merchant, till }) => {
  const { table, order } = await openTable(till, merchant);
  const { orderId, number } = await order();
  await signIn(page, merchant);
  await openBoard(page, merchant);
  for (const [column, next] of [
    ['New', 'accepted'],
    ['Accepted', 'ready'],
    ['Ready', 'served'],
  ] as const) {
    const card = inColumn(page, column, table);
    await expect(card).toContainText(`#${number}`);
    for (const width of [1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const overhang = await card.evaluate((element) => {
        const { right } = element.getBoundingClientRect();
        return Math.max(
          ...[...element.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right - right),
        );
      });
      expect(overhang, `${column} at ${width} px`).toBeLessThan(0);
    }
    await till.post(`/orders/${orderId}/status`, { status: next });
  }
  await expect(inColumn(page, 'Done', table)).toContainText(`#${number}`);
});

test('the orders of a date range are exported as CSV', async ({ page, merchant, till }) => {
  const { table, order } = await openTable(till, merchant);
  const { orderId } = await order();
  await signIn(page, merchant);
  await openBoard(page, merchant);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('link', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await (await download.createReadStream()).setEncoding('utf8').toArray();
  expect(
    csv
      .join('')
      .split('\n')
      .filter((row) => row.includes(orderId) && row.includes(table)),
  ).toHaveLength(1);
});

test('the board is accessible, also with the confirmation open', async ({ page, merchant, till }) => {
  test.setTimeout(120_000);
  const { table, order } = await openTable(till, merchant);
  await order('Birthday: please bring a candle');
  await signIn(page, merchant);
  await openBoard(page, merchant);
  await expect(inColumn(page, 'New', table)).toBeVisible();
  await expectAccessible(page);
  await inColumn(page, 'New', table)
    .getByRole('button', { name: /^Cancel order #/ })
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
});
