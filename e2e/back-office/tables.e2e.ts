import { expectAccessible } from '../fixtures/accessibility';
import { pickUp, signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { newBillId, type Till } from '../fixtures/till';
import { uniqueName } from '../fixtures/unique';

test.describe('on a phone', () => {
  test.use({ viewport: viewports.phone });

  test('the tables of an area are added at once, printed, edited and removed', async ({ page, merchant, till }) => {
    const area = uniqueName('Terrace');
    const prefix = uniqueName('T');
    await signIn(page, merchant, '/tables');
    await page.getByLabel('Store').selectOption(merchant.stores[0]?.name ?? '');
    await page.getByRole('button', { name: 'Add tables' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Names').fill(`${prefix}-1-3`);
    await expect(dialog).toContainText(`3 tables: ${prefix}-1, ${prefix}-2, ${prefix}-3`);
    await dialog.getByLabel('Area').fill(area);
    await dialog.getByLabel('Seats').fill('4');
    await dialog.getByRole('button', { name: 'Add tables' }).click();
    await expect(page.getByText('3 tables added.')).toBeVisible();

    const section = page.getByRole('region', { name: area });
    const tile = (name: string) => section.getByRole('button', { name: `Table ${prefix}-${name}` });
    await expect(tile('1')).toContainText('Free');
    const billId = newBillId();
    await till.generateQrCode({ billId, table: `${prefix}-2` });
    await expect(tile('2')).toContainText('Guests');
    await tile('2').click();
    await expect(dialog.getByRole('link', { name: billId })).toHaveAttribute('href', /^\/qr-codes\//);
    await dialog.getByRole('button', { name: 'Move guests' }).click();
    await dialog.getByLabel('Table to move to').selectOption(`${prefix}-1 · ${area} · Free`);
    await dialog.getByRole('button', { name: 'Move guests' }).last().click();
    await expect(page.getByText(`Moved to table ${prefix}-1.`)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await sendBill(till, billId, `${prefix}-2`);
    await expect(tile('2')).toContainText('Ordered');
    await tile('2').click();
    await expect(dialog.getByRole('link', { name: billId })).toHaveAttribute('href', /^\/bills\//);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Arrange tables' }).click();
    await pickUp(page, `${prefix}-1`);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(`${prefix}-1 is now at position 2`)).toBeAttached();
    await page.keyboard.press('Space');
    await expect(section.getByRole('listitem').first()).toHaveText(`${prefix}-2`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(section.getByRole('listitem').first()).toContainText(`${prefix}-2`);

    await page.getByRole('tab', { name: 'List and cards' }).click();
    const card = section.getByRole('link', { name: `Open card ${prefix}-1` });
    expect((await page.request.get((await card.getAttribute('href')) ?? '')).status()).toBe(200);
    await till.post(`/bills/${billId}/close`, {});
    await till.post('/qr-codes/invalidate', { billId });
    await expect(section.getByRole('row', { name: `${prefix}-2` })).toContainText('Free');

    await section.getByRole('link', { name: 'Print area' }).click();
    await expect(page.getByRole('img', { name: /^QR code of/ })).toHaveCount(3);
    await expect(page.getByText('Scan to see the menu and order')).toHaveCount(3);
    await expectAccessible(page);
    await page.goBack();

    await section.getByRole('button', { name: `Edit ${prefix}-3` }).click();
    await dialog.getByLabel('Name').fill(`${prefix}-2`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText(`Another table is called ${prefix}-2. Use another name.`);
    await dialog.getByLabel('Name').fill(`${prefix}-9`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByRole('row', { name: `${prefix}-9` })).toBeVisible();
    await expectAccessible(page);

    await section.getByRole('checkbox').first().check();
    await section.getByRole('button', { name: 'Remove 3 tables' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove 3 tables' }).click();
    await expect(section).toHaveCount(0);
  });
});

const sendBill = (till: Till, billId: string, table: string) =>
  till.put(`/bills/${billId}`, {
    revision: 1,
    table,
    currency: 'SGD',
    lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 500, amount: 500 }],
    subtotal: 500,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 500,
  });
