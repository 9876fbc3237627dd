import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import type { DemoMerchant } from '../fixtures/demo';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

let serial = 0;
const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

/** What a till is told that its store is out of. */
async function soldOutAt(origin: string, apiKey: string): Promise<string[]> {
  const response = await fetch(`${origin}/api/v1/stock-outs`, { headers: { 'x-api-key': apiKey } });
  const { items } = (await response.json()) as { items: { plu: string }[] };
  return items.map(({ plu }) => plu);
}

const storeOf = (merchant: DemoMerchant, at: number) => {
  const store = merchant.stores[at];
  if (!store) throw new Error('the demo merchant has two stores');
  return store;
};

test('on a phone, staff mark items and undo it: two browsers and the tills see it at once', async ({
  page,
  merchant,
  demo,
  till,
  browser,
}) => {
  const { plu, name } = merchant.menu[20] ?? { plu: '', name: '' };
  const [here, there] = [storeOf(merchant, 0), storeOf(merchant, 1)];
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant);
  const other = await (await browser.newContext({ baseURL: demo.origin, viewport: viewports.phone })).newPage();
  await signIn(other, merchant);
  for (const screen of [page, other]) {
    await screen.goto('/stock-outs');
    await expect(rowOf(screen, plu)).toHaveCount(0);
  }
  try {
    await page.getByRole('button', { name: 'Mark as sold out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill(name);
    await dialog.getByRole('checkbox', { name }).check();
    await dialog.getByRole('radio', { name: 'Until tomorrow' }).check();
    await dialog.getByRole('button', { name: 'Mark as sold out' }).click();
    // It stays for as long as the pointer is on it.
    await page.getByRole('button', { name: 'Undo' }).hover();
    for (const screen of [page, other]) {
      await expect(rowOf(screen, plu).filter({ hasText: here.name })).toContainText('12:00');
      await expect(rowOf(screen, plu).filter({ hasText: there.name })).toContainText('Adeline Koh');
    }
    expect(await soldOutAt(demo.origin, here.apiKey)).toContain(plu);
    expect(await soldOutAt(demo.origin, there.apiKey)).toContain(plu);

    await page.getByRole('button', { name: 'Undo' }).click();
    for (const screen of [page, other]) await expect(rowOf(screen, plu)).toHaveCount(0);
    expect(await soldOutAt(demo.origin, here.apiKey)).not.toContain(plu);
  } finally {
    await other.context().close();
    await till.post('/stock-outs/restore', { plus: [plu] });
  }
});

test('on a phone, an item marked by a till is seen at once and restored, and the restore is undone', async ({
  page,
  merchant,
  demo,
  till,
}) => {
  const { plu, name } = merchant.menu[21] ?? { plu: '', name: '' };
  const unknown = `X-${Date.now()}-${++serial}`;
  const store = storeOf(merchant, 0);
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/stock-outs');
  await page.getByLabel('Store', { exact: true }).selectOption({ label: store.name });
  try {
    await till.post('/stock-outs', { plus: [plu, unknown] });
    const row = rowOf(page, plu);
    await expect(row).toContainText(name);
    await expect(row).toContainText('Until turned back on');
    await expect(row).toContainText('Till “');
    await expect(page.getByRole('region', { name: 'Not on the menu' })).toContainText(unknown);

    await page.getByRole('button', { name: `Mark available: ${name}, ${store.name}` }).click();
    await expect(row).toHaveCount(0);
    expect(await soldOutAt(demo.origin, store.apiKey)).not.toContain(plu);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row).toBeVisible();
    expect(await soldOutAt(demo.origin, store.apiKey)).toContain(plu);

    await till.post('/stock-outs/restore', { plus: [plu, unknown] });
    await expect(row).toHaveCount(0);
  } finally {
    await till.post('/stock-outs/restore', { plus: [plu, unknown] });
  }
});

test('a PLU that is not on the menu is marked by typing it, and exported', async ({ page, merchant, demo, till }) => {
  const unknown = `X-${Date.now()}-${++serial}`;
  const store = storeOf(merchant, 0);
  await signIn(page, merchant, '/stock-outs');
  await page.getByLabel('Store', { exact: true }).selectOption({ label: store.name });
  try {
    await page.getByRole('button', { name: 'Mark as sold out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill(unknown);
    await dialog.getByRole('checkbox', { name: `PLU “${unknown}”` }).check();
    // Enter belongs to the search.
    await dialog.getByRole('searchbox').press('Enter');
    await expect(dialog.getByRole('checkbox', { name: `PLU “${unknown}”` })).toBeChecked();
    await dialog.getByRole('button', { name: 'Mark as sold out' }).click();
    await expect(page.getByRole('region', { name: 'Not on the menu' })).toContainText(unknown);
    expect(await soldOutAt(demo.origin, store.apiKey)).toContain(unknown);
    await page.getByRole('searchbox').fill(unknown);
    const link = page.getByRole('link', { name: 'Export CSV' });
    await expect(link).toHaveAttribute('href', new RegExp(unknown));
    const csv = await (await page.request.get((await link.getAttribute('href')) ?? '')).text();
    expect(csv.trim().split('\n')).toHaveLength(2);
    expect(csv).toContain(`${store.name},${unknown},`);
  } finally {
    await till.post('/stock-outs/restore', { plus: [unknown] });
  }
});

test('by keyboard alone: after an item is restored, the next one has the focus, and finally the list', async ({
  page,
  merchant,
  till,
}) => {
  const mark = `X-${Date.now()}-${++serial}`;
  const plus = ['a', 'b', 'c'].map((letter) => `${mark}-${letter}`);
  await till.post('/stock-outs', { plus });
  await signIn(page, merchant, `/stock-outs?search=${mark}`);
  const restore = (at: number) =>
    page.getByRole('button', { name: `Mark available: ${plus[at]}, ${storeOf(merchant, 0).name}` });
  await restore(1).focus();
  await page.keyboard.press('Enter');
  await expect(restore(1)).toHaveCount(0);
  await expect(restore(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(restore(2)).toHaveCount(0);
  await expect(restore(0)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No sold-out items found')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Stock-outs' })).toBeFocused();

  // Who has gone elsewhere stays there.
  await till.post('/stock-outs', { plus });
  await restore(1).focus();
  await page.getByRole('searchbox').focus();
  await till.post('/stock-outs/restore', { plus });
  await expect(restore(1)).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('the stock-out view is accessible, empty, with items and with its dialog', async ({ page, merchant, till }) => {
  const { plu } = merchant.menu[22] ?? { plu: '' };
  await signIn(page, merchant, '/stock-outs?search=nothing-has-this-name');
  await expect(page.getByText('No sold-out items found')).toBeVisible();
  await expectScreenAccessible(page);
  try {
    await till.post('/stock-outs', { plus: [plu, 'X900'] });
    await page.goto('/stock-outs');
    await expect(rowOf(page, plu)).toBeVisible();
    await expectScreenAccessible(page);
    await page.getByRole('button', { name: 'Mark as sold out' }).click();
    await expect(page.getByRole('dialog').getByRole('checkbox').nth(4)).toBeVisible();
    await expectAccessible(page);
  } finally {
    await till.post('/stock-outs/restore', { plus: [plu, 'X900'] });
  }
});
