import type { Page } from '@playwright/test';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import type { Demo, DemoMerchant } from '../fixtures/demo';
import { tabTo } from '../fixtures/keyboard';
import { pickUp, signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

/** What a till is offered at the merchant's first store. */
async function offered({ origin }: Demo, { stores: [store] }: DemoMerchant) {
  const response = await fetch(`${origin}/api/v1/stores/${store?.storeCode}/stored-value-packages`, {
    headers: { 'x-api-key': store?.apiKey ?? '' },
  });
  const { packages } = (await response.json()) as { packages: { name: string }[] };
  return packages;
}

const packageLink = (page: Page, name: string) => page.getByRole('listitem').getByRole('link', { name });

async function archive(page: Page, name: string): Promise<void> {
  await packageLink(page, name).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
}

test('a package is created by keyboard alone, and tills offer it', async ({ page, demo, merchant }) => {
  await signIn(page, merchant, '/packages');
  const name = uniqueName('Top up 100');
  await tabTo(page, page.getByRole('link', { name: 'New package' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type(name);
  await tabTo(page, page.getByLabel('Customer pays'));
  await page.keyboard.type('100');
  await page.keyboard.press('Tab');
  await page.keyboard.type('20');
  await expect(page.getByRole('region', { name: 'What customers get' })).toContainText('Receives$120.00');
  await tabTo(page, page.getByLabel('Bonus valid for'));
  await page.keyboard.type('90');
  await tabTo(page, page.getByRole('button', { name: 'Create package' }));
  await page.keyboard.press('Enter');
  await expect(packageLink(page, name)).toContainText('Receives $120.00');
  expect(await offered(demo, merchant)).toContainEqual(
    expect.objectContaining({ name, amount: 10_000, bonusAmount: 2_000, bonusExpiresInDays: 90 }),
  );

  await archive(page, name);
  expect((await offered(demo, merchant)).map((one) => one.name)).not.toContain(name);
});

test('an open package is for some stores and days; a missing value is reported at its field', async ({
  page,
  demo,
  merchant,
}) => {
  await signIn(page, merchant, '/packages/new');
  const name = uniqueName('Any amount');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: 'Custom amount' }).check();
  await page.getByLabel('From').fill('20');
  await page.getByLabel('To', { exact: true }).fill('10');
  await page.getByRole('button', { name: 'Create package' }).click();
  await expect(page.getByText(/^Check \d+ fields?$/)).toBeVisible();
  await expect(page.getByLabel('Bonus', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Bonus', { exact: true }).fill('12,5');
  await page.getByLabel('To', { exact: true }).fill('500');
  await page.getByRole('switch', { name: 'All stores' }).click();
  await page.getByRole('checkbox', { name: merchant.stores[1]?.name ?? '' }).check();
  await page.getByRole('button', { name: 'Create package' }).click();
  await expect(packageLink(page, name)).toContainText('12.5% bonus');
  await expect(packageLink(page, name)).toContainText(merchant.stores[1]?.name ?? '');
  expect((await offered(demo, merchant)).map((one) => one.name)).not.toContain(name);
  await archive(page, name);
});

test('packages are reordered by keyboard, and tills follow the order', async ({ page, demo, merchant }) => {
  await signIn(page, merchant);
  const names = [uniqueName('First'), uniqueName('Second')] as const;
  for (const name of names) {
    await page.goto('/packages/new');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Customer pays').fill('10');
    await page.getByLabel('Bonus', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Create package' }).click();
    await expect(packageLink(page, name)).toBeVisible();
  }
  const order = async () =>
    (await offered(demo, merchant)).map(({ name }) => name).filter((name) => names.includes(name));
  expect(await order()).toEqual([...names]);
  const position = await pickUp(page, names[1]);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(`${names[1]} is now at position ${position - 1} of`)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText('Order saved')).toBeVisible();
  expect(await order()).toEqual(names.toReversed());
  for (const name of names) {
    await page.goto('/packages');
    await archive(page, name);
  }
});

test('of two people who edit a package, the second is warned and reloads the latest version', async ({
  page,
  merchant,
  context,
}) => {
  await signIn(page, merchant);
  const name = uniqueName('Edited twice');
  await page.goto('/packages/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Customer pays').fill('10');
  await page.getByLabel('Bonus', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Create package' }).click();
  await packageLink(page, name).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel('Customer pays').fill('12');
  await other.getByLabel('Customer pays').fill('11');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Package saved')).toBeVisible();

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toContainText(
    'This was changed after you opened it.',
  );
  await expect(page.getByLabel('Customer pays')).toHaveValue('12.00');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reload the latest version' }).click();
  await expect(page.getByLabel('Customer pays')).toHaveValue('11.00');
  for (const amount of ['12', '13']) {
    await page.getByLabel('Customer pays').fill(amount);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByLabel('Customer pays')).toHaveValue(`${amount}.00`);
    await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toHaveCount(0);
  }
  await expect(page.getByText('Package saved').first()).toBeVisible();
  await other.close();
  await page.goto('/packages');
  await archive(page, name);
});

test('the browser’s Back asks before it discards unsaved changes', async ({ page, merchant }) => {
  await signIn(page, merchant, '/packages');
  await page.getByRole('link', { name: 'New package' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Draft');
  const goBack = () => page.evaluate(() => window.history.back());
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Draft');
  await expect(page).toHaveURL('/packages/new');
  await goBack();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL('/packages');
});

test('packages are accessible: the list, the form and its errors, the archive', async ({ page, merchant }) => {
  await signIn(page, merchant, '/packages');
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expectScreenAccessible(page);
  await page.goto('/packages/new');
  await page.getByRole('switch', { name: 'All stores' }).click();
  await page.getByRole('button', { name: 'Create package' }).click();
  await expect(page.getByText(/^Check \d+ fields$/)).toBeVisible();
  await expectAccessible(page);
  await page.goto('/packages?archived=true');
  await expect(page.getByRole('heading', { name: 'Archived packages' })).toBeVisible();
  await expectScreenAccessible(page);
});
