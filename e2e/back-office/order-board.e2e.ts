/** What the board of orders shows: of one store or all, late orders, on a phone and at any width. */
import { expectAccessible } from '../fixtures/accessibility';
import { inColumn, openBoard, openTable, serveAll } from '../fixtures/board';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { openTill } from '../fixtures/till';

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
  await expect(waiting(onTime)).toHaveText(/m 14 min$/);
  await expect(waiting(late)).toHaveText(/m Late · 16 min$/);
  await expect(waiting(veryLate)).toHaveText(/m Very late · 31 min$/);
  const colours = await Promise.all(
    [onTime, late, veryLate].map((table) =>
      waiting(table).evaluate((time) => getComputedStyle(time.lastElementChild ?? time).color),
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

test('an order is printed as a ticket for the kitchen, and nothing else with it', async ({
  page,
  merchant,
  demo,
  till,
}) => {
  await serveAll(merchant, demo);
  const { table, order } = await openTable(till, merchant);
  await order('No coriander', 2);
  await page.addInitScript(() => {
    window.print = () => {};
  });
  await signIn(page, merchant);
  await openBoard(page, merchant);
  await inColumn(page, 'New', table)
    .getByRole('button', { name: /^Print the ticket of order/ })
    .click();
  const ticket = page.locator('.ticket');
  await expect(ticket).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(ticket).toContainText(table);
  await expect(ticket).toContainText('No coriander');
  await expect(inColumn(page, 'New', table)).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(ticket).toHaveCount(0);
  await expect(inColumn(page, 'New', table)).toBeVisible();
  await serveAll(merchant, demo);
});
