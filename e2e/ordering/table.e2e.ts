/** The menu of a table: what it shows, and how it is searched and filtered. */
import type { Locator } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { merchantIn } from '../fixtures/demo';
import { addToCart, layTable, menuItem, openCart, phone, sheet, sitDown } from '../fixtures/table';
import { expect, test } from '../fixtures/test';
import { newBillId, openTill, scanCode } from '../fixtures/till';

test.use(phone);

/** The words of an element that do not fit on one line. */
const brokenWords = (element: Locator) =>
  element.evaluate((node) => {
    const text = node.firstChild as Text;
    const words = [...text.data.matchAll(/\S+/g)];
    return words.flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });

test('a scanned code opens the table: store, table, and the whole menu with prices', async ({
  page,
  till,
  merchant,
}) => {
  const code = await till.generateQrCode({ billId: newBillId(), table: '14' });
  const url = scanCode(code.imagePng);
  expect(url).toBe(code.url);
  const answer = await page.goto(url);
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(merchant.stores[0]?.name ?? '');
  await expect(page.getByText('Table 14')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(await page.getByRole('main').getByRole('heading', { level: 3 }).allTextContents()).toEqual(
    merchant.menu.map(({ name }) => name),
  );
  const laksa = menuItem(page, 'Laksa');
  await expect(laksa).toContainText('$8.90');
  await expect(laksa).toContainText('Rice noodles in coconut broth');
  await page.setViewportSize({ width: 320, height: 568 });
  // On the menu, or above it where enough is ordered for some to be popular.
  const dishes = page.getByRole('listitem').filter({ has: page.getByRole('button') });
  await expect(dishes.first()).toBeInViewport({ ratio: 1 });
});

test('an item that the till stocks out is marked at once, and returns when it is restored', async ({
  page,
  till,
  merchant,
}) => {
  const { plu, name } = merchant.menu[3] ?? { plu: '', name: '' };
  const { url } = await layTable(till);
  await till.post('/stock-outs/restore', { plus: [plu] });
  await sitDown(page, url);
  const item = menuItem(page, name);
  await expect(item.getByRole('button', { name: `Choose ${name}, $3.40` })).toBeVisible();
  try {
    await till.post('/stock-outs', { plus: [plu] });
    await expect(item.getByText('Sold out', { exact: true })).toBeVisible();
    await expect(item.getByRole('button')).toHaveCount(0);
  } finally {
    await till.post('/stock-outs/restore', { plus: [plu] });
  }
  await expect(item.getByRole('button')).toBeVisible();
  await expect(item).not.toContainText('Sold out');
});

test('another store still sells an item that this one is out of', async ({ page, till, merchant, demo }) => {
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

test('a wrong code reveals nothing, and all wrong codes look the same', async ({ page, till, merchant }) => {
  const { url } = await layTable(till);
  const token = url.split('/').at(-1) ?? '';
  const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  const bodies = new Set<string>();
  for (const wrong of [other, 'x', `${token}x`, '%00', '..%2f']) {
    const answer = await page.goto(`/q/${wrong}`);
    expect([404, 429], wrong).toContain(answer?.status());
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This QR code doesn’t work');
    await expect(page).toHaveTitle('This QR code doesn’t work');
    const html = await page.content();
    for (const secret of [merchant.name, merchant.stores[0]?.name ?? '', 'Laksa']) expect(html).not.toContain(secret);
    bodies.add(await page.locator('main').innerText());
  }
  expect(bodies.size).toBe(1);
});

test.describe('a reader of Japanese', () => {
  test.use({ locale: 'ja-JP' });

  test('reads in Japanese that the code does not work', async ({ page }) => {
    await page.goto('/q/closed');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('このQRコードはご利用いただけません');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  });

  test('orders in Japanese, and can switch to another language and keep the cart', async ({ page, till }) => {
    const { url } = await layTable(till);
    await sitDown(page, url);
    await expect(page.getByText('テーブル 14')).toBeVisible();
    await menuItem(page, 'テータリック').getByRole('button').click();
    await sheet(page, 'テータリック').getByRole('button', { name: 'カートに入れる' }).click();
    await page.getByRole('combobox', { name: '言語' }).selectOption('Bahasa Melayu');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ms');
    await expect(page.getByRole('button', { name: 'Lihat troli 1 item' })).toBeVisible();
    await page.reload();
    await expect(page.getByText('Meja 14')).toBeVisible();
  });
});

test.describe('a phone in an unsupported language', () => {
  test.use({ locale: 'fr-FR' });

  test('reads the menu of a merchant in Japan in Japanese, with prices in yen', async ({ page, demo }) => {
    const merchant = merchantIn(demo, 'JPY');
    const till = openTill(demo.origin, merchant.stores[0]?.apiKey ?? '');
    const { url } = await layTable(till, '窓側');
    await page.goto(url);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
    await expect(page.getByText('テーブル 窓側')).toBeVisible();
    await expect(menuItem(page, '醤油ラーメン')).toContainText('￥900');
    await expect(menuItem(page, '醤油ラーメン')).toContainText('アレルゲン：小麦、卵、大豆、鶏肉');
  });
});

test('a search finds dishes by any part of their words, or nearly, says when there are none, and stays on the screen', async ({
  page,
  till,
}) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  const search = page.getByRole('searchbox', { name: 'Search the menu' });
  await search.fill('COCONUT');
  await expect(page.getByText('4 found')).toBeVisible();
  await expect(menuItem(page, 'Laksa')).toBeVisible();
  await expect(menuItem(page, 'Kopi')).toHaveCount(0);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(search).toBeInViewport({ ratio: 1 });
  await search.fill('t');
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
  await search.fill('laska');
  await expect(page.getByText('Nothing matches “laska” exactly. These are similar:')).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText(['Laksa']);
  await search.fill('teh-tarik');
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText(['Teh tarik']);
  await search.fill('pizza');
  await expect(page.getByText('Nothing on the menu matches “pizza”.')).toBeVisible();
  await search.press('Escape');
  await expect(menuItem(page, 'Kopi')).toBeVisible();
});

test('a filter by diet and allergens hides dishes, says what it does not know, and is remembered on the phone', async ({
  page,
  till,
}) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const filter = sheet(page, 'Diet and allergens');
  await expect(filter.getByText('If you have a severe allergy, ask our staff before you order.')).toBeVisible();
  await filter.getByRole('checkbox', { name: 'milk' }).check();
  await expectAccessible(page);
  await filter.getByRole('button', { name: /^Show \d+ of \d+$/ }).click();
  const isFiltered = async () => {
    await expect(menuItem(page, 'Teh tarik')).toHaveCount(0);
    await expect(menuItem(page, 'Kaya toast set')).toHaveCount(0);
    await expect(menuItem(page, 'Kopi O')).toBeVisible();
    await expect(page.getByText(/^Hidden by your filter: \d+\./)).toBeVisible();
  };
  await isFiltered();
  await page.reload();
  await isFiltered();
  await page.getByRole('button', { name: 'Filter on' }).click();
  await filter.getByRole('checkbox', { name: 'vegan' }).check();
  await filter.getByRole('button', { name: 'Show 8 of 27' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveCount(8);
  await page.getByRole('button', { name: 'Filter on' }).click();
  await filter.getByRole('button', { name: 'Clear' }).click();
  await filter.getByRole('button', { name: 'Show 27 of 27' }).click();
  await expect(menuItem(page, 'Teh tarik')).toBeVisible();
});

test('the navigation follows the menu', async ({ page, till }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  const nav = page.getByRole('navigation', { name: 'Menu categories' });
  await expect(nav.locator('[aria-current]')).toHaveText('Toast & eggs');
  await menuItem(page, 'Milo dinosaur').scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 300);
  await expect(nav.locator('[aria-current]')).toHaveText('Drinks');
  await expect(nav.getByRole('link', { name: 'Drinks' })).toBeInViewport({ ratio: 1 });
});

test('nothing is cut off on a phone 320 pixels wide, however long the names or large the text', async ({
  page,
  till,
}) => {
  const table = 'Terrassenplatz-neben-dem-Springbrunnen, by the window';
  const { url } = await till.generateQrCode({ billId: newBillId(), table });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(url);
  await expect(page.getByText(table)).toBeInViewport({ ratio: 1 });
  for (const size of ['100%', '200%']) {
    await page.evaluate((chosen) => document.documentElement.style.setProperty('font-size', chosen), size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await brokenWords(page.getByRole('heading', { level: 1 })), size).toEqual([]);
  }
});

test('the menu, a dish, the cart, and the orders are accessible', async ({ page, till }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  await expectScreenAccessible(page);
  await menuItem(page, 'Kaya toast set').getByRole('button').click();
  await sheet(page, 'Kaya toast set').getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('Please choose one.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await addToCart(page, 'Laksa');
  const cart = await openCart(page);
  await expectAccessible(page);
  await cart.getByRole('button', { name: 'Place order' }).click();
  await expect(sheet(page, 'Ordered at this table').getByText('Thank you! Your order is placed.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/q/closed');
  await expectScreenAccessible(page);
});
