import { signIn } from '../fixtures/screens';
import { test } from '../fixtures/test';

for (const width of [390, 1440]) {
  test(`shots ${width}`, async ({ page, merchant }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, merchant);
    await page.goto('/customers/import');
    await page.waitForTimeout(1500);
    await page.getByLabel('Choose file').setInputFiles({
      name: `loyverse-${width}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Customer id,Customer name,Email,Phone,Customer code,Points balance,Store credit,Balance,Total visits\n' +
          'a1,Nurul Huda,nurul@example.com,+60123456789,C-1,2.000,1.250,3,18\n' +
          'a2,Lee Wei,lee@example.com,91234567 / 81234567,C-2,12,4,2,3\n' +
          'a3,,x@example.com,6.59E+09,C-3,12,4,2,3\n',
      ),
    });
    await page.getByText('Looks like').waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/shots/import-${width}.png`, fullPage: true });
    await page.getByLabel('Decimals of “Paid balance”').selectOption(',');
    await page.getByLabel('Decimals of “Points”').selectOption(',');
    await page.getByLabel('Balances of customers').selectOption('add');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/shots/import-chosen-${width}.png`, fullPage: true });
    await page.goto('/menu/import');
    await page.waitForTimeout(1500);
    await page.locator('input[type=file]').setInputFiles({
      name: 'menu.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Item Code,Item name,Unit price,Group,Colour\nn001,Laksa,9.50,mains,red\n77,Tea,1.20,Drinks,\n077,Tea,1.20,drinks,\n'),
    });
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/shots/menu-${width}.png`, fullPage: true });
  });
}
