import { expectScreenAccessible } from '../fixtures/accessibility';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

test('an owner counts the money of the counter by keyboard, closes the shift and corrects it', async ({
  page,
  merchant,
}) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/cash-up');
  const open = page.getByRole('region', { name: 'Open shift' });
  await expect(open).toBeVisible();
  await expectScreenAccessible(page);

  // What was taken in the demo's shift, if anything, is counted by its last unit short.
  const cash = open.getByLabel('Cash counted');
  await cash.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('-1.00');
  await page.keyboard.press('Tab');
  await expect(open.getByText(/^Difference: /).first()).toBeVisible();
  for (const method of ['Card', 'Other']) {
    const field = open.getByLabel(`${method} counted`);
    if ((await field.inputValue()) === '') await field.fill('0');
  }
  await cash.press('Enter');
  await expect(page.getByText('Shift closed')).toBeVisible();

  const closed = page.getByRole('region', { name: 'Closed shifts' });
  await expect(closed.getByText(/^Counted by /).first()).toBeVisible();
  await closed
    .getByRole('button', { name: /^Correct / })
    .last()
    .click();
  const dialog = page.getByRole('dialog');
  await expectScreenAccessible(page);
  await dialog.getByLabel('Cash counted').fill('0');
  await dialog.getByLabel('Reason').fill('Typed with a minus');
  await dialog.getByRole('button', { name: 'Correct' }).click();
  await expect(closed.getByText('Reason: Typed with a minus').first()).toBeVisible();
  await expect(closed.getByText('Corrected').first()).toBeVisible();
  await expectScreenAccessible(page);
});
