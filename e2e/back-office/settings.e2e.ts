import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/accessibility';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';
import type { Till } from '../fixtures/till';

const pinSwitch = (page: Page) => page.getByRole('switch', { name: 'PIN required for redemption' });

async function setPinRequired(page: Page, to: 'on' | 'off'): Promise<void> {
  await page.goto('/settings');
  await expect(pinSwitch(page)).toBeVisible();
  if ((await pinSwitch(page).getAttribute('aria-checked')) === String(to === 'on')) return;
  await pinSwitch(page).click();
  await page.getByRole('button', { name: to === 'on' ? 'Require the PIN' : 'Stop requiring it' }).click();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', String(to === 'on'));
}

let serial = 0;
const redeem = (till: Till, phone: string, pin?: string) =>
  till.send('/transactions/stored-value/redeem', {
    transactionId: `e2e-pin-${Date.now()}-${++serial}`,
    customer: { phone },
    amount: 1,
    pin,
  });

test.afterEach(async ({ page, merchant, context }) => {
  await context.clearCookies();
  await page.unrouteAll();
  await signIn(page, merchant);
  await setPinRequired(page, 'off');
});

test('the owner requires the PIN; a redemption needs it from the next request on, and the new PIN works', async ({
  page,
  merchant,
  till,
}) => {
  const phone = merchant.customers[1]?.phone ?? '';
  await signIn(page, merchant);
  await setPinRequired(page, 'on');
  await page.reload();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'true');

  expect(await redeem(till, phone)).toEqual({ status: 400, code: 'pin_required' });

  await till.post('/customers/forget-pin', { customer: { phone } });
  await page.goto('/messages');
  const pin = (
    await page
      .getByRole('listitem')
      .first()
      .getByText(/^PIN \d{4}$/)
      .textContent()
  )?.slice(-4);
  expect((await redeem(till, phone, pin)).status).toBe(200);
});

test('cancelling leaves the switch alone', async ({ page, merchant, till }) => {
  await signIn(page, merchant);
  await page.goto('/settings');
  await pinSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('alertdialog')).toContainText('needs the customer’s 4-digit PIN');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  expect((await redeem(till, merchant.customers[1]?.phone ?? '')).status).toBe(200);
});

test('another open tab follows without a reload', async ({ page, merchant, context }) => {
  await signIn(page, merchant);
  const other = await context.newPage();
  await other.goto('/settings');
  await expect(pinSwitch(other)).toHaveAttribute('aria-checked', 'false');
  await setPinRequired(page, 'on');
  await expect(pinSwitch(other)).toHaveAttribute('aria-checked', 'true');
  await setPinRequired(page, 'off');
  await expect(pinSwitch(other)).toHaveAttribute('aria-checked', 'false');
});

test('what could not be saved is said, and the switch goes back', async ({ page, merchant, complaints }) => {
  await signIn(page, merchant);
  await page.goto('/settings');
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  await page.route('**/api/trpc/settings.setPinRequired*', (route) => route.abort());
  await pinSwitch(page).click();
  await page.getByRole('button', { name: 'Require the PIN' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toBeVisible();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  // The request that the test itself cut off is told by the console.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('net::ERR_FAILED')));
});

test('a foreign origin changes nothing, and a stranger is refused', async ({ page, demo, merchant }) => {
  const body = { data: { 0: { pinRequired: true } } };
  const url = `${demo.origin}/api/trpc/settings.setPinRequired?batch=1`;
  await signIn(page, merchant);
  for (const origin of ['https://evil.example', 'null', '']) {
    const answer = await page.request.post(url, { ...body, headers: { origin } });
    expect(answer.status()).toBe(403);
  }
  await page.context().clearCookies();
  const stranger = await page.request.post(url, { ...body, headers: { origin: demo.origin } });
  expect(stranger.status()).toBe(401);
});

test('settings are accessible, with the dialog open as well', async ({ page, merchant }) => {
  test.setTimeout(60_000);
  await signIn(page, merchant);
  await page.goto('/settings');
  await expect(pinSwitch(page)).toBeVisible();
  await expectAccessible(page);
  await pinSwitch(page).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
});
