import { Webhook } from 'standardwebhooks';
import { startReceiver } from '@/server/testing/webhook-receiver';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { signIn, viewports } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import { uniqueName } from '../fixtures/unique';

test('on a phone, an endpoint gets signed events, and is paused, rotated and deleted', async ({
  page,
  merchant,
  till,
}) => {
  const receiver = await startReceiver();
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/webhooks');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const name = uniqueName('Accounting');
  await expect(page.getByLabel('URL', { exact: true })).toHaveAccessibleDescription(/such as http:\/\/localhost:4000/);
  await page.getByLabel('URL', { exact: true }).fill('https://10.0.0.1/hook');
  await page.getByLabel('Description').fill(name);
  await page.getByRole('radio', { name: 'Selected events' }).check();
  await page.getByRole('checkbox', { name: 'Sold-out items changed' }).check();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByText('Enter an address on the internet, not in a private network.')).toBeVisible();
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await page.getByRole('button', { name: 'Create endpoint' }).click();

  const readSecret = async () => {
    const dialog = page.getByRole('dialog', { name: 'Copy the signing secret now' });
    const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I’ve saved this secret' }).click();
    return secret;
  };
  const secret = await readSecret();
  const verify = (known: string) => {
    const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} };
    return new Webhook(known).verify(body, headers as Record<string, string>);
  };
  await page.getByRole('link', { name: receiver.url }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const endpoint = page.url();

  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByRole('heading', { name: 'Test event', level: 1 })).toBeVisible();
  await expect(page.getByText('Delivered', { exact: true })).toBeVisible();
  await expect(page.getByText('HTTP 200')).toBeVisible();
  expect(verify(secret)).toMatchObject({ type: 'webhook.test' });
  await expectAccessible(page);

  receiver.answer = () => 500;
  const plu = uniqueName('PLU');
  await till.post('/stock-outs', { plus: [plu] });
  await page.goto(endpoint);
  const event = page.getByRole('row').filter({ hasText: 'Sold-out items changed' });
  await expect(event).toContainText('HTTP 500');
  await event.getByRole('link').click();
  await expect(page.locator('dt', { hasText: 'Next attempt' })).toBeVisible();
  await expect(page.getByText(plu)).toBeVisible();
  receiver.answer = () => 200;
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('Delivered', { exact: true })).toBeVisible();
  expect(verify(secret)).toMatchObject({ type: 'stock_out.changed' });

  await page.goto(endpoint);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const next = await readSecret();
  await page.getByRole('button', { name: 'Send again…' }).click();
  await page.getByRole('radio', { name: 'All that were sent' }).check();
  const before = receiver.received.length;
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('2 events are sent again')).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(before + 2);
  for (const one of [secret, next]) expect(verify(one)).toBeTruthy();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/webhooks$/);
  await expect(page.getByText(name)).toHaveCount(0);
  await receiver.stop();
});

test('the list of endpoints and its form are accessible', async ({ page, merchant }) => {
  await signIn(page, merchant, '/webhooks');
  await expect(page.getByRole('heading', { name: 'Webhooks', level: 1 })).toBeVisible();
  await expectScreenAccessible(page);
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByRole('radio', { name: 'Selected events' }).check();
  await expectAccessible(page);
});
