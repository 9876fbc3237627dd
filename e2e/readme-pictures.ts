/** The README's pictures: `npm run screenshots` takes them, and a browser test opens each of their screens. */
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { type Demo, type DemoMerchant, merchantIn } from './fixtures/demo';
import { signIn } from './fixtures/screens';
import { newBillId, openTill } from './fixtures/till';

export const imagesFolder = join('docs', 'images');

interface Picture {
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
  /** What the demo lacks for the picture. */
  prepare?: () => Promise<unknown>;
  /** Opens the screen, and waits until what the README shows of it is there. */
  open: (page: Page) => Promise<unknown>;
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** The path of a table's page: a new bill of the merchant's first store. */
export async function tableAddress(origin: string, { stores: [store] }: DemoMerchant, table: string): Promise<string> {
  const { url } = await openTill(origin, store?.apiKey ?? '').generateQrCode({ billId: newBillId(), table });
  return new URL(url).pathname;
}

/** By file name. */
export function readmePictures(demo: Demo, origin: string): Record<string, Picture> {
  const merchant = merchantIn(demo, 'SGD');
  const openTable = async (page: Page) => {
    await page.goto(await tableAddress(origin, merchant, '7'));
    await page
      .getByRole('button', { name: /^Choose/ })
      .first()
      .waitFor();
  };
  return {
    'overview-docs.png': {
      viewport: { width: 1200, height: 800 },
      colorScheme: 'light',
      open: async (page) => {
        await page.goto('/docs/reference/redeemVoucher');
        await page.getByRole('heading', { level: 1, name: 'Redeem a voucher' }).waitFor();
      },
    },
    'home.png': {
      viewport: desktop,
      colorScheme: 'light',
      open: async (page) => {
        await signIn(page, merchant, '/home');
        await page.locator('main svg.recharts-surface').first().waitFor();
      },
    },
    'transactions-dark.png': {
      viewport: desktop,
      colorScheme: 'dark',
      open: async (page) => {
        await signIn(page, merchant, '/transactions');
        await page.locator('main table a').first().waitFor();
      },
    },
    'stock-outs-phone.png': {
      viewport: phone,
      colorScheme: 'light',
      prepare: () => openTill(origin, merchant.stores[0]?.apiKey ?? '').post('/stock-outs', { plus: ['N003', 'S001'] }),
      open: async (page) => {
        await signIn(page, merchant, '/stock-outs');
        await page.getByRole('heading', { level: 1, name: 'Stock-outs' }).waitFor();
      },
    },
    'table-phone.png': { viewport: phone, colorScheme: 'light', open: openTable },
  };
}

/** Writes each picture, and `overview.png`: an operation of the API reference beside a table's page. */
export async function takeReadmePictures(browser: Browser, demo: Demo, origin: string): Promise<void> {
  const taken = new Map<string, string>();
  for (const [name, { viewport, colorScheme, prepare, open }] of Object.entries(readmePictures(demo, origin))) {
    const page = await browser.newPage({ baseURL: origin, viewport, colorScheme, reducedMotion: 'reduce' });
    await prepare?.();
    await open(page);
    await page.waitForFunction(() => !document.querySelector('main .animate-pulse'));
    await page.evaluate(() => document.fonts.ready);
    const path = name.startsWith('overview') ? undefined : join(imagesFolder, name);
    taken.set(name, (await page.screenshot({ path })).toString('base64'));
    await page.close();
  }
  const picture = (name: string, place: string) =>
    `<img class="${place}" src="data:image/png;base64,${taken.get(name)}">`;
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  await page.setContent(`<style>
    body { margin: 0; height: 900px; position: relative; background: #dcebe0; }
    img { position: absolute; box-shadow: 0 20px 50px #0b2a1c33, 0 0 0 1px #0b2a1c1a; }
    .docs { left: 50px; top: 50px; border-radius: 14px; }
    .table { right: 50px; bottom: 40px; border-radius: 34px; border: 9px solid #10201a; width: 351px; }
  </style>${picture('overview-docs.png', 'docs')}${picture('table-phone.png', 'table')}`);
  await page.screenshot({ path: join(imagesFolder, 'overview.png') });
}
