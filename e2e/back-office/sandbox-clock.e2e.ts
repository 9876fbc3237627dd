import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { dateIn } from '@/components/back-office/state/local-days';
import { addToDate } from '@/server/domain/kernel/calendar';
import { expectAccessible } from '../fixtures/accessibility';
import type { Demo } from '../fixtures/demo';
import { signIn } from '../fixtures/screens';
import { blankSettings } from '../fixtures/service-environment';
import { expect, test } from '../fixtures/test';
import { openTill } from '../fixtures/till';

const timeZone = 'Asia/Singapore';

/** A merchant of this test alone: its clock never comes back to what the others go by. */
async function newMerchant({ origin, databaseUrl }: Demo) {
  const email = `clock-${Date.now()}@example.com`;
  const options = { name: 'Time & Tide', currency: 'SGD', country: 'SG', 'time-zone': timeZone, locale: 'en-SG' };
  const given = { ...options, store: 'ORCHARD=Orchard Road', 'owner-name': 'Adeline Koh', 'owner-email': email };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout } = await promisify(execFile)(
    'node',
    ['--import', 'tsx', 'server/cli/loyalty.ts', 'merchant', 'create', ...args],
    {
      env: { ...process.env, ...blankSettings, APP_ENV: 'sandbox', DATABASE_URL: databaseUrl },
    },
  );
  const password = /password (\S+)/.exec(stdout)?.[1] ?? '';
  const storeKey = /ORCHARD +(\S+)/.exec(stdout)?.[1] ?? '';
  return { owner: { email, password, name: 'Adeline Koh' }, till: openTill(origin, storeKey) };
}

interface Balances {
  storedValue: { balance: number; bonus: number };
  vouchers: { name: string }[];
}

/** 100.00 with 20.00 on top that lasts for 20 days; and 3.00 off the bill for birthdays. */
async function setUp(page: Page): Promise<void> {
  await page.goto('/packages/new');
  await page.getByLabel('Name', { exact: true }).fill('Top up 100');
  await page.getByLabel('Customer pays').fill('100');
  await page.getByLabel('Bonus', { exact: true }).fill('20');
  await page.getByLabel('Bonus valid for').fill('20');
  await page.getByRole('button', { name: 'Create package' }).click();
  await page.waitForURL(/\/packages(?!\/new)/);
  await page.goto('/vouchers/new');
  await page.getByLabel('Name', { exact: true }).fill('Many happy returns');
  await page.getByRole('textbox', { name: 'Amount off' }).fill('3');
  await page.getByRole('radio', { name: /^Birthday/ }).check();
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByRole('heading', { name: 'Many happy returns', level: 1 })).toBeVisible();
}

test('the owner advances the clock: a voucher arrives, value expires, and the till is told the same', async ({
  page,
  demo,
}) => {
  const { owner, till } = await newMerchant(demo);
  await signIn(page, { owner });
  await setUp(page);

  const phone = '+6591110000';
  const inTenDays = addToDate(dateIn(timeZone, new Date()), 10);
  await till.post('/customers', { givenName: 'Mei', lastName: 'Tan', phone, birthday: `1992${inTenDays.slice(4)}` });
  const { packages } = await till.get<{ packages: { packageId: string }[] }>('/stores/ORCHARD/stored-value-packages');
  await till.post('/transactions/stored-value/top-up', {
    transactionId: `clock-${Date.now()}`,
    customer: { phone },
    packageId: packages[0]?.packageId,
  });
  const balances = () => till.get<Balances>(`/customers/phone/${encodeURIComponent(phone)}/balances`);
  expect(await balances()).toMatchObject({ storedValue: { balance: 12_000, bonus: 2_000 }, vouchers: [] });

  // A page that is already open elsewhere follows, too.
  const other = await page.context().newPage();
  await other.goto('/customers');
  await other.getByRole('link', { name: 'Mei Tan' }).click();
  await expect(other.getByText('$120.00').first()).toBeVisible();

  await page.bringToFront();
  await page.goto('/settings?section=clock');
  const section = page.getByRole('region', { name: 'Sandbox clock' });
  const before = await section.locator('time').textContent();
  await section.getByRole('button', { name: '+1 month' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('can’t be set back');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await section.getByRole('button', { name: '+1 month' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Advance' }).click();
  await expect(page.getByText(/^The clock now shows/)).toBeVisible();
  await expect(section.locator('time')).not.toHaveText(before ?? '');
  await expectAccessible(page);

  // Within seconds, by the worker.
  await expect
    .poll(balances)
    .toMatchObject({ storedValue: { balance: 10_000, bonus: 0 }, vouchers: [{ name: 'Many happy returns' }] });
  await section.getByRole('link', { name: 'Open automations' }).click();
  const automation = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(automation('Expiry').getByRole('row').filter({ hasText: '1 credit written off' })).toContainText(
    'Finished',
  );
  await expect(automation('Issuing vouchers').getByRole('row').filter({ hasText: '1 voucher' })).toContainText(
    'Finished',
  );
  await expectAccessible(page);

  const runNow = automation('Expiry').getByRole('button', { name: /Run now/ });
  // One may be there of the clock's own run.
  const withoutGrants = automation('Expiry').getByRole('row').filter({ hasText: '0 credits written off' });
  const earlier = await withoutGrants.count();
  await runNow.click();
  await expect.poll(() => withoutGrants.count()).toBeGreaterThan(earlier);
  await expect(withoutGrants.first()).toContainText('Finished');
  await expect(runNow).not.toHaveAttribute('aria-disabled');

  await other.bringToFront();
  await expect(other.getByText('$100.00').first()).toBeVisible();
  await other.getByRole('tab', { name: 'Vouchers' }).click();
  await expect(other.getByRole('row').filter({ hasText: 'Many happy returns' })).toBeVisible();
});
