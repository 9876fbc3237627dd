import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { pickUp, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId, openTill } from '../fixtures/till';

let serial = 0;
/** A name that no other run used. */
const unique = (name: string) => `${name} ${Date.now()}-${++serial}`;

/** A photo that has not been uploaded yet. */
function newPhoto(): Buffer {
  const png = new PNG({ width: 800, height: 500 });
  for (let i = 0; i < png.data.length; i++) png.data[i] = i % 4 === 3 ? 255 : (i * 7 + serial * 31 + Date.now()) % 256;
  return PNG.sync.write(png);
}

const itemLinks = (page: Page, category: string) => page.getByRole('region', { name: category }).getByRole('link');
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

async function addCategory(page: Page, name: string): Promise<void> {
  await page.goto('/menu');
  await page.getByRole('button', { name: 'Add category' }).click();
  await fill(page, 'Name of the category', name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

async function addItem(
  page: Page,
  category: string,
  item: { name: string; plu: string; price: string },
): Promise<void> {
  await page.getByRole('region', { name: category }).getByRole('link', { name: 'Add item' }).click();
  await fill(page, 'Name', item.name);
  await fill(page, 'Price', item.price);
  await fill(page, 'PLU', item.plu);
}

async function save(page: Page, category: string): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: category, level: 2 })).toBeVisible();
}

async function archiveCategory(page: Page, name: string): Promise<void> {
  await page.setViewportSize(viewports.desktop);
  await page.goto('/menu');
  await page.getByRole('button', { name: new RegExp(`^${name} \\d`) }).click();
  await page.getByRole('button', { name: 'Edit category' }).click();
  await page.getByRole('button', { name: 'Archive category' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive category' }).click();
  await expect(page.getByText(`${name} is off the menu`)).toBeVisible();
}

test('on a phone, a category with items, a photo, options and an order by keyboard', async ({
  page,
  merchant,
  demo,
  till,
}) => {
  const [category, group] = [unique('Specials'), unique('Sugar')];
  const [first, second] = [unique('Bandung'), unique('Teh peng')];
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant);

  await page.goto('/menu/options/new');
  const names = page.getByLabel('Name', { exact: true });
  await names.first().fill(group);
  await fill(page, 'Min. selections', '1');
  await names.nth(1).fill('Normal');
  await page.getByRole('button', { name: 'Add modifier' }).click();
  await names.nth(2).fill('Gula melaka');
  await page.getByLabel('Extra price').nth(1).fill('0.50');
  await page.getByText('Allergens it adds').nth(1).click();
  await page.getByRole('checkbox', { name: 'Sulphites' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const groupRow = page.getByRole('row').filter({ hasText: group });
  await expect(groupRow).toContainText('Exactly 1');
  await expect(groupRow).toContainText('Normal, Gula melaka');

  await addCategory(page, category);
  try {
    await addItem(page, category, { name: first, plu: unique('P'), price: '3.20' });
    await page.getByLabel('Add modifier group').selectOption({ label: group });
    await page.getByRole('checkbox', { name: 'Milk', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Vegetarian' }).check();
    await page.getByRole('switch', { name: 'All stores' }).click();
    await page.getByRole('checkbox', { name: merchant.stores[0]?.name ?? '' }).check();
    // Saved while the photo is on its way, which waits for the save to begin.
    const isSaving = page.getByRole('button', { name: 'Saving' });
    await page.route('**/api/trpc/menu.uploadPhoto*', (route) => isSaving.waitFor().then(() => route.continue()));
    await page.locator('input[type=file]').setInputFiles({
      name: 'drink.png',
      mimeType: 'image/png',
      buffer: newPhoto(),
    });
    await save(page, category);

    await addItem(page, category, { name: second, plu: unique('P'), price: '2.80' });
    await save(page, category);
    await expect(itemLinks(page, category).filter({ hasText: first })).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: first });
    await expect(row).toContainText('1 store only');
    await expect(row).toContainText('1 modifier group');
    await expect(row).toContainText('$3.20');
    const photo = row.locator('img');
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160);

    expect(await pickUp(page, second)).toBe(2);
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(`${second} is now at position 1 of 2.`)).toBeAttached();
    const saved = page.waitForResponse((answer) => answer.url().includes('menu.orderItems') && answer.ok());
    await page.keyboard.press('Space');
    const order = () => page.getByRole('list', { name: category }).getByRole('link').allTextContents();
    await expect.poll(order).toEqual([second, first]);
    await saved;
    await page.reload();
    await expect.poll(order).toEqual([second, first]);

    const other = openTill(demo.origin, merchant.stores[1]?.apiKey ?? '');
    const here = await till.generateQrCode({ billId: newBillId() });
    const there = await other.generateQrCode({ billId: newBillId() });
    await page.goto(here.url);
    const menu = page.getByRole('region', { name: category }).getByRole('heading', { level: 3 });
    await expect(menu).toHaveText([second, first]);
    await page.getByRole('button', { name: `Choose ${first}` }).click();
    await expect(page.getByRole('dialog').getByText('Contains: milk')).toBeVisible();
    await page.getByRole('radio', { name: 'Gula melaka' }).check();
    await expect(page.getByRole('dialog').getByText('Contains: milk, sulphites')).toBeVisible();
    await page.goto(there.url);
    await expect(menu).toHaveText([second]);
  } finally {
    await archiveCategory(page, category);
    await page.goto('/menu/options');
    await page.getByRole('link', { name: group }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${group} deleted`)).toBeVisible();
  }
});

test('items are imported from a valid CSV file, found, archived and restored', async ({ page, merchant }) => {
  const [category, plu] = [unique('Imported'), unique('CSV')];
  const choose = (lines: string[]) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'menu.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['plu,name,price,category', ...lines].join('\n')),
    });
  await signIn(page, merchant, '/menu/import');
  await choose([`${plu},Wrong,dear,${category}`]);
  await expect(page.getByRole('row').filter({ hasText: 'price' })).toContainText('Enter an amount such as 8.50.');
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);

  await choose([`${plu},${plu} noodles,7.50,${category}`]);
  await expect(page.getByText(`New categories: ${category}`)).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 item' }).click();
  await expect(page.getByText('1 item added, 0 changed')).toBeVisible();
  try {
    await page.getByRole('searchbox').fill(plu);
    const found = page.getByRole('row').filter({ hasText: `${plu} noodles` });
    await expect(found).toContainText('$7.50');
    await found.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('The item is off the menu')).toBeVisible();
    await expect(found).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(found).toBeVisible();
  } finally {
    await archiveCategory(page, category);
  }
});

test('a form shows errors at the fields, and asks before it is left', async ({ page, merchant }) => {
  await signIn(page, merchant, '/menu/items/new');
  await fill(page, 'Name', 'Half an item');
  await fill(page, 'PLU', merchant.menu[0]?.plu ?? '');
  await fill(page, 'Price', 'free');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter an amount such as 12.50.')).toBeVisible();
  await fill(page, 'Price', '1.00');
  await page.getByLabel('Category').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('PLU', { exact: true })).toHaveAccessibleDescription(/has this PLU already/);
  await page.getByRole('link', { name: 'Stock-outs' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Discard changes?');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half an item');

  // The drawer of a phone is gone with the page.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Stock-outs' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { name: 'Stock-outs', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the screens of the menu are accessible', async ({ page, merchant }) => {
  await signIn(page, merchant, '/menu');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'Edit category' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/menu?search=kopi');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectScreenAccessible(page);
  for (const path of ['/menu/items/new', '/menu/options', '/menu/options/new', '/menu/import']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectScreenAccessible(page);
  }
});
