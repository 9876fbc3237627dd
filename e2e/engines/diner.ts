/** A diner's way: scan, dish with options, cart, order, live status, bill, sign-in by code, redemption, languages. */
import type { DemoMerchant } from '../fixtures/demo';
import { newBillId, type Till } from '../fixtures/till';
import type { Page } from './page';

export interface Visit {
  page: Page;
  till: Till;
  merchant: DemoMerchant;
  /** Named in the table, so that a member of staff finds it. */
  table: string;
}

/** What the table's bill says: a Laksa with sambal. */
const bill = (table: string) => ({
  revision: 1,
  table,
  currency: 'SGD',
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 890, amount: 1_780 }],
  subtotal: 1_780,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: 1_780,
});

/** The name of the choice, in each of them. */
const anyLanguage = '^(Language|语言|言語|Bahasa)$';
const languages = { zh: '中文', ja: '日本語', ms: 'Bahasa' };

/** Each step is named, for the report. */
export const dinerSteps: Record<string, (visit: Visit & { memory: Record<string, string> }) => Promise<void>> = {
  'scan, and read the menu': async ({ page, till, table, memory }) => {
    const billId = newBillId();
    const { url, qrCodeId } = await till.generateQrCode({ billId, table });
    Object.assign(memory, { billId, url, qrCodeId });
    await page.open(new URL(url).pathname);
    await page.see('heading', '^Laksa$');
  },
  'a dish with options goes into the cart': async ({ page }) => {
    await page.press('button', '^Choose Laksa');
    await page.press('checkbox', 'More sambal');
    await page.fill('Special request', 'no prawns, 不要辣');
    await page.shot('dish');
    await page.press('button', '^Add to cart');
    await page.press('button', '^View cart');
    await page.see('button', '^Place order');
    await page.shot('cart');
  },
  'the order reaches the till': async ({ page, till, memory }) => {
    await page.press('button', '^Place order');
    await page.see('text', 'Your order is placed');
    const { orders } = await till.get<{ orders: { orderId: string; lines: { note: string }[] }[] }>(
      `/qr-codes/${memory.qrCodeId}`,
    );
    if (orders[0]?.lines[0]?.note !== 'no prawns, 不要辣') throw new Error(`ordered: ${JSON.stringify(orders)}`);
    memory.orderId = orders[0].orderId;
  },
  'its status is live': async ({ page, till, memory }) => {
    await page.see('text', 'Sent to the kitchen');
    await till.post(`/orders/${memory.orderId}/status`, { status: 'accepted' });
    await page.see('text', 'Being prepared');
    await page.shot('order');
    await page.press('button', '^Close');
  },
  'the bill': async ({ page, till, table, memory }) => {
    await till.put(`/bills/${memory.billId}`, bill(table));
    await page.press('button', '^Bill');
    await page.see('text', 'Left to pay');
    await page.shot('bill');
    await page.press('button', '^Close');
  },
  'sign-in by a code': async ({ page, till, merchant }) => {
    const phone = await newPayer(till, merchant);
    const before = await codesTo(till, phone);
    await page.open(`/loyalty/${merchant.id}`);
    await page.fill('Phone number', phone);
    await page.press('button', 'Send me a code');
    await page.see('field', 'Six-digit code');
    const codes = await codesTo(till, phone);
    if (codes.length <= before.length) throw new Error('no code was sent');
    await page.fill('Six-digit code', codes[0] ?? '');
    await page.press('button', '^Confirm');
    await page.see('button', '^Sign out');
    await page.shot('account');
  },
  'what a customer holds pays a part of the bill': async ({ page, till, memory }) => {
    await page.open(`${new URL(memory.url ?? '').pathname}#bill`);
    await page.see('text', 'Left to pay');
    await page.shot('pay');
    await page.press('button', '^Use: ');
    await page.see('button', '^Undo');
    const { redeemed } = await till.get<{ redeemed: number }>(`/bills/${memory.billId}`);
    if (redeemed === 0) throw new Error('nothing was redeemed');
  },
  'four languages': async ({ page, memory }) => {
    await page.open(new URL(memory.url ?? '').pathname);
    for (const [language, name] of Object.entries(languages)) {
      await page.choose(anyLanguage, name);
      await waitForLanguage(page, language);
      await page.see('heading', '.');
      await page.shot(`menu-${language}`);
    }
    await page.choose(anyLanguage, 'English');
    await waitForLanguage(page, 'en');
  },
};

async function waitForLanguage(page: Page, language: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const shown = await page.driver.execute<string | null>('return document.documentElement?.lang').catch(() => '');
    if (shown?.startsWith(language)) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`the page is not in ${language}`);
}

/** A new customer with a balance. Returns the phone number. */
async function newPayer(till: Till, { stores }: DemoMerchant): Promise<string> {
  const phone = `+659${String(Date.now()).slice(-7)}`;
  await till.post('/customers', { givenName: 'Engine', phone });
  const path = `/stores/${stores[0]?.storeCode}/stored-value-packages`;
  const { packages } = await till.get<{ packages: { packageId: string; kind: string }[] }>(path);
  const packageId = packages.find(({ kind }) => kind === 'fixed')?.packageId;
  await till.post('/transactions/stored-value/top-up', { transactionId: newBillId(), customer: { phone }, packageId });
  return phone;
}

async function codesTo(till: Till, phone: string): Promise<string[]> {
  const { items } = await till.get<{ items: { code: string | null; kind: string }[] }>(
    `/sandbox/messages?phone=${encodeURIComponent(phone)}`,
  );
  return items.flatMap(({ code }) => (code && /^\d{6}$/.test(code) ? [code] : []));
}
