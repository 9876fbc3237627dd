import { expectAccessible } from '../fixtures/accessibility';
import { viewports } from '../fixtures/screens';
import { hireColleague } from '../fixtures/staff';
import { expect, test } from '../fixtures/test';
import { newBillId, openTill } from '../fixtures/till';

const sale = () => ({
  transactionId: newBillId(),
  lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: 700, amount: 700 }],
  subtotal: 700,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: 700,
  payments: [{ method: 'cash', amount: 700 }],
  closedAt: new Date().toISOString(),
});

test('on a phone, a manager of one store sees that store alone, until the owner adds another', async ({
  page,
  merchant,
  demo,
  browser,
}) => {
  await page.setViewportSize(viewports.phone);
  const [own, other] = merchant.stores;
  if (!own || !other) throw new Error('the demo has two stores');
  const { colleague, theirs } = await hireColleague(browser, page, merchant, 'Manager', own.name);
  await theirs.setViewportSize(viewports.desktop);
  const storesOf = async () => {
    const file = await theirs.request.get(`/export/stores?merchant=${merchant.id}`);
    return (await file.text()).split('\n').filter((line) => [own, other].some(({ name }) => line.includes(name)))
      .length;
  };
  expect(await storesOf()).toBe(1);

  await theirs.goto('/home');
  await expect(theirs.getByRole('link', { name: 'Reports' }).first()).toBeVisible();
  for (const hidden of ['Audit log', 'Automations', 'Stores', 'Staff']) {
    await expect(theirs.getByRole('link', { name: hidden, exact: true })).toHaveCount(0);
  }
  await expectAccessible(theirs);
  await theirs.goto('/audit-log');
  await expect(theirs.getByRole('alert').filter({ hasText: 'No access for your role' })).toBeVisible();
  const refused = await theirs.request.get(`/export/audit-log?merchant=${merchant.id}`);
  expect([refused.status(), await refused.text()]).toEqual([403, 'Only staff of all stores may do this.\n']);
  await theirs.goto('/transactions');
  await expect(theirs.getByRole('table').getByText(own.name).first()).toBeVisible();
  await expect(theirs.getByRole('main')).not.toContainText(other.name);
  await theirs.goto('/reports');
  await expect(theirs.getByRole('tab', { name: 'Sales' })).toBeVisible();
  await expect(theirs.getByRole('tab', { name: 'Vouchers' })).toHaveCount(0);
  const customerId = merchant.customers[0]?.customerId;
  await openTill(demo.origin, other.apiKey).post('/sales', { ...sale(), customer: { customerId } });
  await theirs.goto(`/customers/${customerId}`);
  await expect(theirs.getByText('Another store').first()).toBeVisible();
  await expect(theirs.getByRole('main')).not.toContainText(other.name);

  await page.goto('/staff');
  const row = page.getByRole('row').filter({ hasText: colleague.email });
  await expect(row).toContainText(own.name);
  await row.getByRole('button', { name: `Stores of ${colleague.name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Stores of ${colleague.name}` });
  await dialog.getByRole('checkbox', { name: own.name, exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose at least one store, or all stores.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: own.name, exact: true }).check();
  await dialog.getByRole('checkbox', { name: other.name, exact: true }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Stores of ${colleague.name} changed`)).toBeVisible();
  await expect(row).toContainText(other.name);
  expect(await storesOf()).toBe(2);
  await theirs.context().close();
});
