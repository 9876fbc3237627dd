/** The browser's Back, as Android's button and a swipe do it. */
import { addToCart, layTable, openCart, phone, sheet, sitDown } from '../fixtures/table';
import { expect, test } from '../fixtures/test';

test.use(phone);

test('Back closes the top sheet and keeps the place in the menu; a sheet closed otherwise leaves nothing behind', async ({
  page,
  till,
}) => {
  const { url } = await layTable(till);
  await page.goto('/robots.txt');
  await sitDown(page, url);
  await addToCart(page, 'Kopi', (dish) => dish.getByRole('radio', { name: 'No sugar' }).check());
  await page.getByRole('navigation', { name: 'Menu categories' }).getByRole('link', { name: 'Drinks' }).click();
  const place = page.url();
  expect(place).toContain('#menu-');

  const cart = await openCart(page);
  await cart.getByRole('button', { name: 'Change Kopi' }).click();
  const dish = sheet(page, 'Kopi');
  await expect(dish).toBeVisible();
  await page.goBack();
  await expect(dish).toHaveCount(0);
  await expect(cart).toBeVisible();
  await page.goBack();
  await expect(cart).toHaveCount(0);
  expect(page.url()).toBe(place);
  // A sheet that Back has closed stays closed.
  await page.goForward();
  await expect(cart).toHaveCount(0);

  await openCart(page);
  await cart.getByRole('button', { name: 'Change Kopi' }).click();
  await dish.getByRole('button', { name: 'Save changes' }).click();
  await expect(dish).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(cart).toHaveCount(0);
  await openCart(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'View cart' })).toBeVisible();
  await page.goBack();
  await expect.poll(() => page.url()).toBe(url);
  await page.goBack();
  await expect.poll(() => page.url()).toContain('/robots.txt');
});
