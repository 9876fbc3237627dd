import { devices, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { merchantIn } from '../fixtures/demo';
import { expect, test } from '../fixtures/test';
import { newBillId, openTill, scan } from '../fixtures/till';

/** By its heading: other items may speak of it in their description. */
function menuItem(page: Page, name: string): Locator {
  const heading = page.getByRole('heading', { name, exact: true });
  return page.getByRole('main').getByRole('listitem').filter({ has: heading });
}

const { defaultBrowserType: _, ...phone } = devices['Pixel 5'];
test.use(phone);

test('a scanned code opens the table: store, table, and the whole menu with prices', async ({
  page,
  till,
  merchant,
}) => {
  const code = await till.generateQrCode({ billId: newBillId(), table: '14' });
  const url = scan(code.imagePng);
  expect(url).toBe(code.url);
  const answer = await page.goto(url);
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(merchant.stores[0]?.name ?? '');
  await expect(page.getByText('Table 14')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-SG');
  expect(await page.getByRole('main').getByRole('heading', { level: 3 }).allTextContents()).toEqual(
    merchant.menu.map(({ name }) => name),
  );
  const laksa = menuItem(page, 'Laksa');
  await expect(laksa).toContainText('$8.90');
  await expect(laksa).toContainText('Rice noodles in coconut broth');
});

test('what the till stocks out is marked after a reload, and comes back when it is restored', async ({
  page,
  till,
  merchant,
}) => {
  const { plu, name } = merchant.menu[3] ?? { plu: '', name: '' };
  const { url } = await till.generateQrCode({ billId: newBillId() });
  await till.post('/stock-outs/restore', { plus: [plu] });
  await page.goto(url);
  const item = menuItem(page, name);
  await expect(item).toBeVisible();
  await expect(item).not.toContainText('Sold out');
  try {
    await till.post('/stock-outs', { plus: [plu] });
    await page.reload();
    await expect(item.getByText('Sold out', { exact: true })).toBeVisible();
  } finally {
    await till.post('/stock-outs/restore', { plus: [plu] });
  }
  await page.reload();
  await expect(item).toBeVisible();
  await expect(item).not.toContainText('Sold out');
});

test('another store sells what this one is out of', async ({ page, till, merchant, demo }) => {
  const { plu, name } = merchant.menu[4] ?? { plu: '', name: '' };
  const other = openTill(demo.origin, merchant.stores[1]?.apiKey ?? '');
  const { url } = await other.generateQrCode({ billId: newBillId() });
  try {
    await till.post('/stock-outs', { plus: [plu] });
    await page.goto(url);
    const item = menuItem(page, name);
    await expect(item).toBeVisible();
    await expect(item).not.toContainText('Sold out');
  } finally {
    await till.post('/stock-outs/restore', { plus: [plu] });
  }
});

test('an invalidated code says that the bill is settled, and a wrong one says the same', async ({
  page,
  till,
  merchant,
}) => {
  const billId = newBillId();
  const { url } = await till.generateQrCode({ billId, table: '14' });
  await page.goto(url);
  await expect(page.getByText('Table 14')).toBeVisible();
  await till.post('/qr-codes/invalidate', { billId });

  const closed = await page.reload();
  expect(closed?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This bill is settled');
  await expect(page).toHaveTitle('This bill is settled');
  const settled = await page.locator('body').innerText();
  const html = await page.content();
  for (const secret of [merchant.name, merchant.stores[0]?.name ?? '', billId, 'Laksa']) {
    expect(html).not.toContain(secret);
  }

  const token = url.split('/').at(-1) ?? '';
  const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  for (const wrong of [other, 'x', `${token}x`, '%00', '..%2f']) {
    const answer = await page.goto(`/q/${wrong}`);
    expect(answer?.status(), wrong).toBe(404);
    expect(await page.locator('body').innerText(), wrong).toBe(settled);
  }
});

test.describe('a reader of Japanese', () => {
  test.use({ locale: 'ja-JP' });

  test('is told in Japanese that the bill is settled', async ({ page }) => {
    await page.goto('/q/settled');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('お会計が済みました');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  });
});

test('a merchant in Japan has a page in Japanese, with prices in yen', async ({ page, demo }) => {
  const merchant = merchantIn(demo, 'JPY');
  const till = openTill(demo.origin, merchant.stores[0]?.apiKey ?? '');
  const { url } = await till.generateQrCode({ billId: newBillId(), table: '窓側' });
  await page.goto(url);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja-JP');
  await expect(page.getByText('テーブル 窓側')).toBeVisible();
  await expect(menuItem(page, '醤油ラーメン')).toContainText('￥900');
});

test('an address is kept from search engines and other sites', async ({ page, till }) => {
  const { url } = await till.generateQrCode({ billId: newBillId() });
  const answer = await page.goto(url);
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': expect.stringContaining('no-store'),
  });
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the menu shows, and the navigation leads to each category', async ({ page, till }) => {
    const { url } = await till.generateQrCode({ billId: newBillId() });
    await page.goto(url);
    const links = page.getByRole('navigation', { name: 'Menu categories' }).getByRole('link');
    const names = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    await expect(links).toHaveText(names);
    for (const name of names) {
      await links.filter({ hasText: name }).click();
      await expect(page.getByRole('heading', { level: 2, name })).toBeInViewport();
      await expect(links.first()).toBeInViewport();
    }
  });
});

test('nothing is cut off on a phone of 320 pixels, however long the names', async ({ page, till }) => {
  const table = 'Terrassenplatz-neben-dem-Springbrunnen, by the window';
  const { url } = await till.generateQrCode({ billId: newBillId(), table });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(url);
  await expect(page.getByText(table)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('the table page and the settled page are accessible', async ({ page, till }) => {
  test.setTimeout(60_000);
  const billId = newBillId();
  const { url } = await till.generateQrCode({ billId, table: '14' });
  await page.goto(url);
  await expectAccessible(page);
  await till.post('/qr-codes/invalidate', { billId });
  await page.reload();
  await expectAccessible(page);
});
