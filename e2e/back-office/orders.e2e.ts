/** What staff do with orders on the board. */
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { inColumn, openBoard, openTable } from '../fixtures/board';
import { signIn } from '../fixtures/screens';
import { expect, forgiveLostRequests, test } from '../fixtures/test';

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
  forgiveLostRequests(complaints);
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
  const { table, order } = await openTable(till, merchant);
  await order('Birthday: please bring a candle');
  await signIn(page, merchant);
  await openBoard(page, merchant);
  await expect(inColumn(page, 'New', table)).toBeVisible();
  await expectScreenAccessible(page);
  await inColumn(page, 'New', table)
    .getByRole('button', { name: /^Cancel order #/ })
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
});
