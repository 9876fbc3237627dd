/** How the table's page loads: what it requests, and what works before its scripts run, or without them. */
import { brotliCompressSync } from 'node:zlib';
import { addToCart, layTable, menuItem, openCart, phone, sheet, sitDown } from '../fixtures/table';
import { expect, test } from '../fixtures/test';
import { newBillId } from '../fixtures/till';

test.use(phone);

test('the URL is hidden from search engines and other sites, and responses are not cached', async ({ page, till }) => {
  const { url } = await till.generateQrCode({ billId: newBillId() });
  const asked = page.waitForResponse('**/api/diner/table.get*');
  const followed = page.waitForResponse('**/api/diner/table.changes*');
  const answer = await page.goto(url);
  expect((await asked).headers()['cache-control']).toBe('no-store');
  // Only this phone knows its guest's id, and proxies log URLs.
  expect(new URL((await asked).url()).search).toBe('');
  expect((await asked).request().postDataJSON()).toMatchObject({ guestId: expect.any(String) });
  // A proxy that would change a stream would hold it up.
  expect((await followed).headers()['cache-control']).toBe('no-cache, no-transform');
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': expect.stringContaining('no-store'),
  });
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
});

test('the table is fetched once on arrival and once per change, compressed', async ({ page, till, context }) => {
  const { url } = await till.generateQrCode({ billId: newBillId() });
  // The first page to listen for changes is told that everything may have changed, once the service itself listens.
  await sitDown(await context.newPage(), url);
  const encodings: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().includes('table.get')) encodings.push(response.headers()['content-encoding']);
  });
  await page.goto(url);
  await expect.poll(() => encodings.length).toBe(1);
  await till.post('/stock-outs', { plus: ['N005'] });
  await expect(menuItem(page, 'Mee rebus')).toContainText('Sold out');
  expect(encodings).toEqual(['gzip', 'gzip']);
  await till.post('/stock-outs/restore', { plus: ['N005'] });
});

test('no script is requested before the page is painted', async ({ page, till }) => {
  const { url } = await layTable(till);
  const body = await (await page.request.get(url)).text();
  const loaded = body.match(/<(script|link)[^>]+\.js"[^>]*>/g) ?? [];
  // Old browsers without modules get one at once.
  expect(loaded.filter((one) => !one.includes('noModule'))).toEqual([]);
  expect(body.match(/\/_next\/static\/[^"]+\.js/g)?.length).toBeGreaterThan(3);
});

test('the menu does not move when the scripts run, also on a phone that has ordered here before', async ({
  page,
  till,
  merchant,
}) => {
  const { url } = await layTable(till);
  const line = { plu: 'D001', name: 'Kopi', quantity: 1, optionIds: [], optionNames: [], note: '', unitPrice: 180 };
  await page.addInitScript(
    ([key, ordered]) => {
      localStorage.setItem(key, ordered);
      const moves: string[] = [];
      const note = (entries: PerformanceEntryList) =>
        moves.push(...entries.map(({ startTime }) => `after ${Math.round(startTime)} ms`));
      new PerformanceObserver((list) => note(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      Object.assign(window, { moves });
    },
    [`ordered:${merchant.id}`, JSON.stringify([{ ...line, orderedAt: Date.now() }])] as const,
  );
  await sitDown(page, url);
  await expect(page.getByRole('region', { name: 'Order again' }).getByRole('button')).toContainText('Kopi');
  expect(await page.evaluate(() => (window as unknown as { moves: string[] }).moves)).toEqual([]);
});

test('React hydrates the page in a transition, as our patch of Next does', async ({ page, till }) => {
  const { url } = await layTable(till);
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text());
  });
  await sitDown(page, url);
  await page.waitForLoadState('networkidle');
  expect((await Promise.all(scripts)).join('\n')).toMatch(/startTransition\(\(\)=>\{[\w$.=]+hydrateRoot\(/);
});

test('all scripts of the page together are at most 120.7 kB over the network', async ({ page, till }) => {
  const { url } = await layTable(till);
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    expect(response.headers(), response.url()).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
    sizes.set(
      response.url(),
      response.body().then((body) => brotliCompressSync(body).length),
    );
  });
  await sitDown(page, url);
  await addToCart(page, 'Kopi');
  await openCart(page);
  await page.waitForLoadState('networkidle');
  expect(sizes.size).toBeGreaterThan(3);
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(120_700);
});

test.describe('before the scripts have loaded', () => {
  // It would serve them from its copies.
  test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'no-preference' } });

  test('a tap is shown at once, and carried out with a search once they run; so is the choice of a language', async ({
    page,
    till,
  }) => {
    const { url } = await layTable(till);
    let load = () => {};
    const openWithoutScripts = async () => {
      const held = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.unrouteAll();
      await page.route('**/*.js', (route) => held.then(() => route.continue()));
      await page.goto(url, { waitUntil: 'commit' });
    };
    await openWithoutScripts();
    await page.getByRole('searchbox').fill('iced');
    const choose = menuItem(page, 'Iced lemon tea').getByRole('button');
    await menuItem(page, 'Kopi').getByRole('button').click();
    await choose.click();
    await expect(choose).toHaveCSS('animation-name', 'pulse');
    await expect(page.locator('button[aria-busy]')).toHaveCount(1);
    await expect(page.getByRole('searchbox')).toHaveAttribute('aria-busy', 'true');
    load();
    await expect(sheet(page, 'Iced lemon tea')).toBeVisible();
    await expect(page.locator('[aria-busy]')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('searchbox')).toHaveValue('iced');
    await expect(menuItem(page, 'Kopi')).toHaveCount(0);

    await openWithoutScripts();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('日本語');
    load();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the menu is readable, the navigation leads to each category, and no control is shown that would not work', async ({
    page,
    till,
  }) => {
    const { url } = await layTable(till);
    await page.goto(url);
    await expect(menuItem(page, 'Kaya butter toast')).toContainText('Contains: gluten, eggs, milk');
    await expect(page.getByText('Our staff will be glad to take your order.')).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
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

test('the menu is there when React renders the page again because the server’s HTML was changed', async ({
  page,
  till,
  complaints,
}) => {
  const { url } = await layTable(till);
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('Choose from the menu', 'Chosen by an extension');
    await route.fulfill({ response, body });
  });
  await sitDown(page, url);
  await expect(page.getByText('Choose from the menu')).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Minified React error #418')]);
  await addToCart(page, 'Laksa');
  await expect(menuItem(page, 'Laksa')).toContainText('1 in your cart');
  await expect(menuItem(page, 'Kopi')).toBeVisible();
});
