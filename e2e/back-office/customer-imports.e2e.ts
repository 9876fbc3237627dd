import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../fixtures/accessibility';
import { countCalls } from '../fixtures/count-calls';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

/** An unused phone number: eight digits of the clock. */
const newPhone = () => `81${String(Date.now()).slice(-6)}`;

test('a file is imported, with a report of its skipped rows', async ({ page, merchant }) => {
  await signIn(page, merchant);
  const lastName = uniqueName('Imported');
  const rows = [
    ...['Given;Family name;Mobile;Stored value;Tier', `Ada;${lastName};${newPhone()};25.00;Gold`],
    `Bob;${lastName};12;5;Gold`,
  ];
  await page.goto('/customers/import');
  // The page listens once its list has come.
  await expect(page.getByText('No imports yet').or(page.getByRole('table')).first()).toBeVisible();
  await page.getByLabel('Choose file').setInputFiles({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  });
  // The first heading says too little to be guessed.
  await expect(page.getByText('Not imported: Given, Tier')).toBeVisible();
  await page.getByLabel('First name').selectOption({ label: 'Given (such as Ada)' });
  await expect(page.getByRole('row').filter({ hasText: 'Bob' })).toContainText('Not a valid phone number');
  await expect(page.getByText('Not imported: Tier')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What the file adds' })).toContainText('$25.00');
  await expectAccessible(page);
  const starts = countCalls(page, 'customerImports.start');
  await page.getByRole('button', { name: 'Import 2 rows' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Skipped rows' })).toBeVisible({ timeout: 60_000 });
  expect(starts()).toBe(1);
  await expect(page.getByRole('row').filter({ hasText: 'Bob' })).toContainText('Not a valid phone number');

  const report = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download report (CSV)' }).click();
  const text = await readFile(await (await report).path(), 'utf8');
  expect(text).toContain(`3,Not a valid phone number,Bob,${lastName},12,,`);

  const openings = page.getByRole('region', { name: 'Opening balances' });
  await expect(openings).toContainText('$25.00');
  await openings.getByRole('button', { name: 'Take back balances' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back balances' }).click();
  await expect(openings).toContainText('Everything was taken back', { timeout: 60_000 });
  await expectAccessible(page);

  await page.goto(`/customers?search=${encodeURIComponent(lastName)}`);
  await expect(page.getByRole('link', { name: `Ada ${lastName}` })).toBeVisible();
  const list = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const exported = await readFile(await (await list).path(), 'utf8');
  expect(exported.trim().split('\n')).toHaveLength(2);
  expect(exported).toContain(`Ada,${lastName}`);
});
