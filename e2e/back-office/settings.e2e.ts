import type { Page } from '@playwright/test';
import { openPromise } from 'yauzl';
import { expectAccessible, expectScreenAccessible } from '../fixtures/accessibility';
import { signIn, themes, viewports } from '../fixtures/screens';
import { layTable } from '../fixtures/table';
import { expect, forgiveLostRequests, test } from '../fixtures/test';
import type { Till } from '../fixtures/till';

const pinSwitch = (page: Page) => page.getByRole('switch', { name: 'PIN required for redemption' });

async function setPinRequired(page: Page, to: 'on' | 'off'): Promise<void> {
  await page.goto('/settings');
  await expect(pinSwitch(page)).toBeVisible();
  if ((await pinSwitch(page).getAttribute('aria-checked')) === String(to === 'on')) return;
  await pinSwitch(page).click();
  // The switch shows its new place before it is saved.
  const isSaved = page.waitForResponse(/settings\.setPinRequired/);
  await page.getByRole('button', { name: to === 'on' ? 'Require PIN' : 'Turn off PIN' }).click();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', String(to === 'on'));
  await isSaved;
}

let serial = 0;
const redeem = (till: Till, phone: string, pin?: string) =>
  till.send('/transactions/stored-value/redeem', {
    transactionId: `e2e-pin-${Date.now()}-${++serial}`,
    customer: { phone },
    amount: 1,
    pin,
  });

test.afterEach(async ({ page, merchant, till, context }) => {
  if ((await redeem(till, merchant.customers.at(-1)?.phone ?? '')).code !== 'pin_required') return;
  await context.setOffline(false);
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
  await expect(page.getByText('Every redemption now needs the PIN')).toBeVisible();
  await page.reload();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByText(/^On since /)).toBeVisible();

  expect(await redeem(till, phone)).toEqual({ status: 400, code: 'pin_required' });

  await till.post('/customers/forget-pin', { customer: { phone } });
  await page.goto(`/messages?customer=${merchant.customers[1]?.customerId}`);
  const pin = (
    await page
      .getByText(/^Code \d{4}$/)
      .first()
      .textContent()
  )?.slice(-4);
  expect((await redeem(till, phone, pin)).status).toBe(200);
});

test('cancelling leaves the switch alone', async ({ page, merchant, till }) => {
  await signIn(page, merchant, '/settings');
  await pinSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('alertdialog')).toContainText('needs the customer’s 4-digit PIN');
  await expect(page.getByRole('alertdialog').getByRole('status')).toContainText(/customers? (has|have) .*PIN/);
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
  await signIn(page, merchant, '/settings');
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  await page.route('**/api/trpc/settings.setPinRequired*', (route) => route.abort());
  await pinSwitch(page).click();
  await page.getByRole('button', { name: 'Require PIN' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toBeVisible();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  forgiveLostRequests(complaints);
});

test('without a network the same is said at once, and nothing is saved later', async ({
  page,
  merchant,
  context,
  complaints,
}) => {
  await signIn(page, merchant, '/settings');
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  await context.setOffline(true);
  await pinSwitch(page).click();
  await page.getByRole('button', { name: 'Require PIN' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toContainText('No connection');
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  await context.setOffline(false);
  await page.reload();
  await expect(pinSwitch(page)).toHaveAttribute('aria-checked', 'false');
  forgiveLostRequests(complaints);
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

/** The section's form, where nothing was changed yet. */
const section = (page: Page, name: string) => page.getByRole('region', { name });

test('on a phone, the balance limit is changed, and another open tab follows', async ({ page, merchant, context }) => {
  await page.setViewportSize(viewports.phone);
  await signIn(page, merchant, '/settings?section=customers');
  const other = await context.newPage();
  await other.goto('/settings');
  await other.getByRole('tab', { name: 'Customers' }).click();
  await expect(other).toHaveURL(/section=customers/);
  const customers = section(page, 'Customers');
  const limit = customers.getByLabel('Balance limit');
  const before = await limit.inputValue();
  await limit.fill('a lot');
  await customers.getByRole('button', { name: 'Save' }).click();
  await expect(customers.getByText('Enter an amount such as 12.50.')).toBeVisible();

  const after = '2000.50';
  await limit.fill(after);
  await customers.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(section(other, 'Customers').getByLabel('Balance limit')).toHaveValue(after);
  await limit.fill(before);
  await customers.getByRole('button', { name: 'Save' }).click();
  await expect(section(other, 'Customers').getByLabel('Balance limit')).toHaveValue(before);
});

test('a limit for tills is refused at its field when it is 0, saved, and removed', async ({ page, merchant }) => {
  await signIn(page, merchant, '/settings?section=limits');
  const limits = section(page, 'Limits for tills');
  // One button for the limits of tills and staff; the next one is for sign-in codes.
  const save = page.getByRole('main').getByRole('button', { name: 'Save' }).first();
  const points = limits.getByLabel('Points from an API key in a day');
  await points.fill('0');
  await save.click();
  await expect(points).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await points.fill('900000000');
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(points).toHaveValue('900000000');
  await points.fill('');
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(points).toHaveValue('');
});

test('the owner sets what diners can do at the table, and the tips they choose from', async ({ page, merchant }) => {
  await signIn(page, merchant, '/settings?section=tables');
  const bill = section(page, 'The bill');
  await expect(bill.getByText('Card payments are not set up on this service')).toBeVisible();
  const tips = bill.getByLabel('Tip suggestions (%)');
  for (const wrong of ['ten', '0', '60', '1, 2, 3, 4, 5']) {
    await tips.fill(wrong);
    await bill.getByRole('button', { name: 'Save' }).click();
    await expect(bill.getByText('Enter up to 4 whole numbers from 1 to 50')).toBeVisible();
  }
  await expectAccessible(page);
  await tips.fill('15%, 5 10');
  await bill.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(tips).toHaveValue('5, 10, 15');
  const ordering = section(page, 'Ordering');
  const wait = ordering.getByRole('switch', { name: 'Estimated wait' });
  for (const isOn of ['false', 'true']) {
    await wait.click();
    await ordering.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Settings saved').last()).toBeVisible();
    await page.reload();
    await expect(wait).toHaveAttribute('aria-checked', isOn);
  }
  await tips.fill('');
  await bill.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
});

test('sign-in codes are limited to some countries, found by keyboard, and to as many as the owner says', async ({
  page,
  merchant,
}) => {
  await signIn(page, merchant, '/settings?section=limits');
  const codes = section(page, 'Sign-in codes for diners');
  const save = async () => {
    await codes.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await page.reload();
  };
  const perHour = codes.getByLabel('Codes in an hour');
  await perHour.fill('');
  await codes.getByRole('button', { name: 'Save' }).click();
  await expect(perHour).toHaveAttribute('aria-invalid', 'true');
  await perHour.fill('300');
  for (const [typed, name] of [
    ['malay', 'Malaysia'],
    ['jp', 'Japan'],
  ] as const) {
    await codes.getByRole('combobox', { name: 'Countries' }).fill(typed);
    await expect(page.getByRole('option', { name })).toBeVisible();
    await page.keyboard.press('Enter');
  }
  const chosen = codes.getByRole('list', { name: 'Countries' }).getByRole('listitem');
  await expect(chosen).toHaveText(['Japan', 'Malaysia']);
  await expectAccessible(page);
  await save();
  await expect(perHour).toHaveValue('300');
  await expect(chosen).toHaveText(['Japan', 'Malaysia']);
  for (const name of ['Japan', 'Malaysia']) await codes.getByRole('button', { name: `Remove ${name}` }).click();
  await perHour.fill('200');
  await save();
  await expect(chosen).toHaveCount(0);
});

test('one owner’s typing survives another owner’s save', async ({ page, merchant, context }) => {
  await signIn(page, merchant, '/settings?section=points');
  const other = await context.newPage();
  await other.goto('/settings?section=points');
  const months = section(page, 'Points').getByLabel('Months until points expire');
  await months.fill('6');
  const least = section(other, 'Points').getByLabel('Minimum points per redemption');
  const before = await least.inputValue();
  for (const value of ['7', before]) {
    await least.fill(value);
    await section(other, 'Points').getByRole('button', { name: 'Save' }).click();
    await expect(section(page, 'Points').getByLabel('Minimum points per redemption')).toHaveValue(value);
  }
  // Nor does another section take it away.
  await page.getByRole('tab', { name: 'Business' }).click();
  await page.getByRole('tab', { name: 'Points' }).click();
  await expect(months).toHaveValue('6');
  await section(page, 'Points').getByLabel('Value of a point').fill('$100');
  await expect(section(page, 'Points').getByText('Customers get back')).toContainText('Check the value of a point.');
});

test('the currency is fixed once there are transactions', async ({ page, merchant }) => {
  await signIn(page, merchant, '/settings?section=business');
  await expect(section(page, 'Business').getByText('Singapore Dollar (SGD)')).toBeVisible();
  await expect(section(page, 'Business').getByText('Currency can’t be changed.')).toBeVisible();
});

test('the owner says how far back tills may date transactions', async ({ page, merchant, till }) => {
  await signIn(page, merchant, '/settings?section=business');
  const tills = section(page, 'Tills');
  const days = tills.getByLabel('How many days back tills may date transactions');
  const save = async (value: string) => {
    await days.fill(value);
    await tills.getByRole('button', { name: 'Save' }).click();
  };
  const dated = () =>
    till.send('/transactions/points/redeem', {
      transactionId: `e2e-dated-${Date.now()}-${++serial}`,
      customer: { phone: merchant.customers[1]?.phone ?? '' },
      points: 1,
      occurredAt: new Date(Date.now() - 2 * 24 * 3_600_000).toISOString(),
    });
  await save('0');
  await expect(days).toHaveAccessibleDescription(/Enter 1 or more/);
  await expectAccessible(page);
  await save('1');
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect(await dated()).toEqual({ status: 400, code: 'invalid_request' });
  await save('31');
  await expect.poll(async () => (await dated()).code).not.toBe('invalid_request');
});

test('the owner downloads all data of the business as one archive', async ({ page, merchant }) => {
  await signIn(page, merchant, '/settings?section=business');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const archive = await openPromise(await download.path());
  const files: string[] = [];
  for await (const { fileName } of archive.eachEntry()) files.push(fileName);
  expect(files).toEqual(expect.arrayContaining(['manifest.json', 'customers.csv', 'ledger_entries.csv']));
});

/** The least contrast of texts and buttons in each of these colours of a merchant, in the theme that the page has. */
const leastContrast = (page: Page, colours: string[]) =>
  page.evaluate(async (all) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!canvas) throw new Error('there is no canvas');
    const probe = document.body.appendChild(document.createElement('i'));
    const luminance = (name: string) => {
      probe.style.color = `var(--${name})`;
      canvas.fillStyle = getComputedStyle(probe).color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 3294 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string) => {
      const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    };
    const found: number[] = [];
    for (const colour of all) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(await (await fetch(`/brand/${colour}.css`)).text());
      document.adoptedStyleSheets = [sheet];
      found.push(contrast('accent', 'page'), contrast('accent', 'surface'), contrast('accent', 'tint'));
      found.push(
        contrast('on-accent', 'accent'),
        contrast('on-accent', 'accent-strong'),
        contrast('on-plate', 'plate'),
      );
    }
    return Math.min(...found);
  }, colours);

test('the owner chooses a colour and a welcome, which diners see; each colour can be read in both themes', async ({
  page,
  merchant,
  till,
}) => {
  const { url } = await layTable(till);
  await signIn(page, merchant);
  await page.goto('/settings?section=business');
  const brand = page.getByRole('region', { name: 'Colour and welcome' });
  await brand.getByLabel('Accent colour').fill('#ffe600');
  await brand.getByLabel('Welcome').fill('Kaya toast since 1987');
  await expectScreenAccessible(page);
  await brand.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();
  await page.goto(url);
  await expect(page.getByText('Kaya toast since 1987')).toBeVisible();
  await expect(page.locator('link[href="/brand/ffe600.css"]')).toBeAttached();
  await expectScreenAccessible(page);
  const hues = ['ffe600', 'ff0000', '00ff00', '0000ff', 'ff00ff', '00ffff', '000000', 'ffffff', '8b4513', 'ff8c00'];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    expect(await leastContrast(page, hues)).toBeGreaterThan(4.5);
  }
  await page.goto('/settings?section=business');
  await brand.getByRole('button', { name: 'Remove the colour' }).click();
  await brand.getByLabel('Welcome').fill('');
  await brand.getByRole('button', { name: 'Save' }).click();
  await expect(brand.getByText('The usual green')).toBeVisible();
});

test('settings are accessible, also with the dialog open', async ({ page, merchant }) => {
  await signIn(page, merchant, '/settings');
  await expect(pinSwitch(page)).toBeVisible();
  await expectScreenAccessible(page);
  await pinSwitch(page).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page);
});
