/** By keyboard alone. */
import { addToCart, layTable, menuItem, openCart, sheet, sitDown } from '../fixtures/table';
import { expect, test } from '../fixtures/test';

test('a dish is chosen, and the focus returns to where it was', async ({ page, till }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  const choose = menuItem(page, 'Kopi').getByRole('button');
  await choose.focus();
  await page.keyboard.press('Enter');
  await expect(sheet(page, 'Kopi')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet(page, 'Kopi')).toHaveCount(0);
  await expect(choose).toBeFocused();
});

test('changes in the cart keep the focus there', async ({ page, till }) => {
  const { url } = await layTable(till);
  await sitDown(page, url);
  for (const name of ['Mee rebus', 'Otah toast']) await addToCart(page, name);
  const cart = await openCart(page);
  const quantity = cart.getByRole('group', { name: 'Quantity: Otah toast' });
  const less = quantity.getByRole('button', { name: 'One less' });
  await quantity.getByRole('button', { name: 'One more' }).click();
  await less.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(quantity.getByRole('status')).toHaveText('1');
  await expect(less).toBeFocused();
  await cart.getByRole('button', { name: 'Remove Otah toast' }).focus();
  await page.keyboard.press('Enter');
  await expect(quantity).toHaveCount(0);
  await expect(cart.getByRole('heading', { name: 'Your cart' })).toBeFocused();
});
