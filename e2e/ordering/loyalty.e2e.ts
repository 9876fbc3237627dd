import { wrongFor } from '@/server/testing/diners';
import { createFixedPackage } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { expectAccessible } from '../fixtures/accessibility';
import {
  codeSentTo,
  expect,
  expectFits,
  expectGood,
  newPhone,
  openMerchant,
  sectionOf,
  signIn,
  test,
} from '../fixtures/diner';
import { layTable, phone, sitDown } from '../fixtures/table';
import { forgiveLostRequests } from '../fixtures/test';
import { newBillId, scanCode } from '../fixtures/till';

test.use(phone);

test('a new phone signs in by code, joins, and gets a voucher, which the till redeems by its QR code', async ({
  page,
  service,
}) => {
  const privacyUrl = 'https://example.com/privacy';
  const { id, home, till } = await openMerchant(service, { privacy_url: privacyUrl });
  await createCampaign(service.owner, id, { name: 'Welcome', trigger: 'join', min_spend: 1_000 });
  const number = newPhone();
  await page.goto(home);
  await page.getByLabel('Phone number').fill('kopi');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByText('Please check the number')).toBeVisible();
  await expectGood(page);
  await page.getByLabel('Phone number').fill(number);
  const code = await codeSentTo(service, number, () => page.getByRole('button', { name: 'Send me a code' }).click());
  const field = page.getByLabel('Six-digit code');
  await expect(field).toBeFocused();
  await field.fill(wrongFor(code));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is incorrect. Attempts left: 4.')).toBeVisible();
  await expectGood(page);
  await field.fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole('button', { name: 'Confirm' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Nice to meet you' })).toBeFocused();
  await page.getByLabel('First name').fill('Mei');
  const birthday = page.getByRole('group', { name: 'Birthday' });
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('To join, please give your consent.')).toBeVisible();
  await expectGood(page);
  await page.getByRole('checkbox', { name: 'I agree that Kopi & Kaya keeps these details' }).check();
  await expect(page.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute('href', privacyUrl);
  await expect(page.getByRole('checkbox', { name: 'WhatsApp me about vouchers and balance' })).not.toBeChecked();
  await birthday.getByLabel('Month').selectOption('February');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('Please choose a day and a month.')).toBeVisible();
  await expect(birthday.getByLabel('Day')).toBeFocused();
  await expectGood(page);
  await birthday.getByLabel('Day').selectOption('29');
  await page.getByRole('button', { name: 'Join' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Hello, Mei' })).toBeFocused();
  const [joined] = await service.owner`select birthday::text as birthday from customers where phone = ${number}`;
  expect(joined?.birthday).toBe('0004-02-29');
  const voucher = sectionOf(page, 'Vouchers').getByRole('listitem');
  await expect(voucher).toContainText('Welcome');
  await expect(voucher).toContainText('$5.00 off the bill · when you spend $10.00 or more');
  await voucher.getByText('Show QR code').click();
  const drawing = voucher.getByRole('img', { name: 'QR code of the voucher Welcome' });
  await expectGood(page);
  const image = await drawing.screenshot();
  const voucherCode = scanCode(`data:image/png;base64,${image.toString('base64')}`);
  await expect(voucher).toContainText(voucherCode);
  const redeemed = await till.post<{ discountAmount: number }>('/transactions/voucher/redeem', {
    transactionId: newBillId(),
    customer: { phone: number },
    voucherCode,
    bill: { amount: 2_000 },
  });
  expect(redeemed).toMatchObject({ type: 'redeemVoucher', status: 'completed' });
  await page.reload();
  await expect(sectionOf(page, 'Vouchers')).toContainText('No vouchers right now.');
  await expect(sectionOf(page, 'History').getByRole('listitem').first()).toContainText('Voucher used');
});

test('a number of another country, and a budget of codes that is used up, are refused in the reader’s words', async ({
  page,
  service,
}) => {
  const { home } = await openMerchant(service, { codes_per_hour: 1 });
  await page.goto(home);
  const number = page.getByLabel('Phone number');
  const send = page.getByRole('button', { name: 'Send me a code' });
  await number.fill('+44 7400 123456');
  await send.click();
  await expect(page.getByText('We can’t send codes to numbers of this country.')).toBeVisible();
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  await expectGood(page);
  await number.fill(newPhone());
  await send.click();
  await expect(page.getByLabel('Six-digit code')).toBeVisible();
  await page.goto(home);
  await number.fill(newPhone());
  await send.click();
  await expect(
    page.getByText(/No more codes can be sent right now. Please try again in (60 minutes|1 hour)/),
  ).toBeVisible();
  await expectGood(page);
});

test('an account is opened from the table, links back there, and is left by signing out', async ({ page, service }) => {
  const { home, till, createCustomer } = await openMerchant(service);
  const { phone: number } = await createCustomer();
  const { url } = await layTable(till);
  await page.goto(url);
  const link = page.locator(`a[href="${home}"]`);
  await expect(link).toBeVisible();
  await signIn(page, service, home, number);
  await expect(page.getByText(`Signed in as ${number}`)).toBeVisible();
  await page.getByRole('link', { name: 'Back to the menu' }).click();
  await expect(page.getByText('Table 14')).toBeVisible();
  await link.click();
  // Known to the phone alone, so it is there once the page listens.
  await expect(page.getByRole('link', { name: 'Back to the menu' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Phone number')).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['diner-device']);
  await page.goBack();
  await page.goForward();
  await expect(page.getByLabel('Phone number')).toBeVisible();
  await page.goto(`${home}/pin`);
  await expect(page.getByLabel('Phone number')).toBeVisible();
});

test('a diner who taps before the table’s page is hydrated finds the way back', async ({
  page,
  service,
  complaints,
}) => {
  const { home, till } = await openMerchant(service);
  const { url } = await layTable(till);
  await page.route('**/_next/static/**/*.js', (route) =>
    route.request().frame().url() === url ? route.abort() : route.continue(),
  );
  await page.goto(url);
  await page.locator(`a[href="${home}"]`).click();
  await page.getByRole('link', { name: 'Back to the menu' }).click();
  await expect(page.getByText('Table 14')).toBeVisible();
  forgiveLostRequests(complaints);
});

test('settling an older table keeps the link back to the newer one', async ({ page, service, context }) => {
  const { home, till } = await openMerchant(service);
  const [older, newer] = [await layTable(till, '14'), await layTable(till, '15')];
  await sitDown(page, older.url);
  const other = await context.newPage();
  await sitDown(other, newer.url);
  await older.settle();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Thank you for coming');
  await page.goto(home);
  const back = page.getByRole('link', { name: 'Back to the menu' });
  await expect(back).toHaveAttribute('href', new URL(newer.url).pathname);
  await newer.settle();
  await expect(other.getByRole('heading', { level: 1 })).toContainText('Thank you for coming');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeEnabled();
  await expect(back).toHaveCount(0);
});

test('a page that the browser has translated still works', async ({ page, service }) => {
  const { home } = await openMerchant(service);
  const number = newPhone();
  await page.goto(home);
  await page.getByLabel('Phone number').fill(number);
  const send = page.getByRole('button', { name: 'Send me a code' });
  await expect(send).toBeEnabled();
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const font = document.createElement('font');
      text.parentNode?.replaceChild(font, text);
      font.append(text);
    }
  });
  await codeSentTo(service, number, () => send.click());
  await expect(page.getByLabel('Six-digit code')).toBeFocused();
});

test('a silently lost network does not block a form forever', async ({ page, service, complaints }) => {
  const { home } = await openMerchant(service);
  await page.clock.install();
  await page.goto(home);
  await page.getByLabel('Phone number').fill(newPhone());
  await page.route('**/api/diner/identity.requestCode', () => {});
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByRole('button', { name: 'One moment…' })).toBeVisible();
  await page.clock.fastForward(15_000);
  await expect(page.getByText('We can’t reach the restaurant right now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeEnabled();
  forgiveLostRequests(complaints);
});

test('an account shows a customer’s balances with bonus and expiry, points, and activity', async ({
  page,
  service,
}) => {
  const { id, home, till, createCustomer } = await openMerchant(service, { point_value: 2, earn_points: 1 });
  const { phone: number } = await createCustomer();
  const packageId = await createFixedPackage(service.owner, id, {
    amount: 10_000,
    bonus: 2_000,
    bonus_expires_in_days: 30,
  });
  const customer = { phone: number };
  await till.post('/transactions/stored-value/top-up', { transactionId: newBillId(), customer, packageId });
  await till.post('/transactions/stored-value/redeem', { transactionId: newBillId(), customer, amount: 500 });
  await signIn(page, service, home, number);
  const holding = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });
  await expect(holding('Balance')).toContainText('$115.00');
  await expect(holding('Balance')).toContainText(/of which \$15\.00 is a bonus\$15\.00 until \d+ \w+ 20/);
  await expect(holding('Points')).toContainText('worth $0.00');
  const history = sectionOf(page, 'History').getByRole('listitem');
  await expect(history.nth(0)).toContainText('Paid with the balance');
  await expect(history.nth(0)).toContainText('−$5.00');
  await expect(history.nth(1)).toContainText('+$120.00');
  await history.nth(1).getByRole('link', { name: 'Receipt: ' }).click();
  const receipt = page.getByRole('article');
  await expect(receipt).toContainText('Top-up: ');
  await expect(receipt).toContainText('Balance+$120.00');
  await expectGood(page);
});

test('an account is available in each language, keeps its page when the language is switched, and loads no font', async ({
  page,
  service,
}) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  const { home, createCustomer } = await openMerchant(service);
  const { phone: number } = await createCustomer('4831');
  await signIn(page, service, home, number);
  await page.goto(`${home}/pin`);
  const titles = {
    zh: '更改或重置 PIN',
    ja: 'PIN の変更・再設定',
    ms: 'Tukar atau tetapkan semula PIN',
    en: 'Change or reset PIN',
  };
  for (const [language, title] of Object.entries(titles)) {
    await page.locator('header select').selectOption(language);
    await expect(page.locator('html')).toHaveAttribute('lang', language === 'zh' ? /^zh/ : language);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    expect(new URL(page.url()).pathname).toBe(`${home}/pin`);
    await expectFits(page);
  }
  // A language changes no more than words.
  await expectAccessible(page);
  expect(fonts).toEqual([]);
});

test('an unknown merchant has no page', async ({ page }) => {
  const answer = await page.goto(`/loyalty/${crypto.randomUUID()}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expectGood(page);
});
