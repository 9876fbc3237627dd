/** Printed cards: the PDF that a browser prints, at each size, as a printer and a camera see it, for two decoders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { browserArguments, findBrowser } from '../browser';
import type { DemoMerchant } from '../fixtures/demo';
import { signIn } from '../fixtures/screens';
import { newBillId, openTill } from '../fixtures/till';
import { blurred, creased, cut, type Grey, noisy, pale, photographed, turned } from './paper';

const sizes = ['a6', 'a4x4', 'a4x8', 'tent', 'round', 'square'];
const resolutions = [150, 300];

/** What becomes of paper on tables, each worse than the one before. */
const conditions: Record<string, (image: Grey) => Grey> = {
  printed: (image) => image,
  'grey, with little toner': (image) => noisy(pale(image), 12),
  'turned by 20° and blurred': (image) => blurred(turned(image, 20), 1),
  'creased, grey, turned and blurred': (image) => blurred(noisy(turned(creased(pale(image)), -20), 12), 1),
};

type Reader = (image: Grey, folder: string) => string | null;
const readers: Record<string, Reader> = {
  jsQR: ({ width, height, data }) => {
    const colours = new Uint8ClampedArray(width * height * 4).fill(255);
    for (const [at, value] of data.entries()) colours.fill(value, at * 4, at * 4 + 3);
    return jsQR(colours, width, height)?.data ?? null;
  },
  ZBar: (image, folder) => {
    const file = join(folder, 'code.png');
    const png = new PNG({ width: image.width, height: image.height });
    for (const [at, value] of image.data.entries()) png.data.set([value, value, value, 255], at * 4);
    writeFileSync(file, PNG.sync.write(png));
    try {
      const args = ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', file];
      return execFileSync('zbarimg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return null;
    }
  },
};

interface Box {
  x: number;
  y: number;
  width: number;
}

/** Prints a card in each size. Returns the PDF, and where its first code is on the page, in CSS pixels. */
async function print(origin: string, merchant: DemoMerchant) {
  const till = openTill(origin, merchant.stores[0]?.apiKey ?? '');
  const { url, qrCodeId } = await till.generateQrCode({ billId: newBillId(), table: '12' });
  const browser = await chromium.launch({ executablePath: findBrowser() ?? '', args: browserArguments });
  const page = await (await browser.newContext({ baseURL: origin })).newPage();
  await signIn(page, merchant, `/qr-codes/${qrCodeId}`);
  await page.getByRole('link', { name: 'Print card' }).click();
  await page.waitForURL('**/print?*');
  const printed: { size: string; pdf: Buffer; box: Box }[] = [];
  for (const size of sizes) {
    const address = new URL(page.url());
    address.searchParams.set('size', size);
    await page.goto(address.href);
    await page.locator('.table-card-code').last().waitFor();
    await page.emulateMedia({ media: 'print' });
    const box = await page.evaluate(() => {
      const sheet = document.querySelector('.cards-sheet')?.getBoundingClientRect();
      const code = [...document.querySelectorAll('.table-card-code')].at(-1)?.getBoundingClientRect();
      return { x: (code?.x ?? 0) - (sheet?.x ?? 0), y: (code?.y ?? 0) - (sheet?.y ?? 0), width: code?.width ?? 0 };
    });
    printed.push({ size, pdf: await page.pdf({ preferCSSPageSize: true }), box });
    await page.emulateMedia({ media: 'screen' });
  }
  await browser.close();
  return { url, printed };
}

function rasterise(pdf: Buffer, dpi: number, folder: string): PNG {
  writeFileSync(join(folder, 'card.pdf'), pdf);
  const args = ['-r', String(dpi), '-gray', '-png', '-singlefile', join(folder, 'card.pdf'), join(folder, 'card')];
  execFileSync('pdftoppm', args);
  return PNG.sync.read(readFileSync(join(folder, 'card.png')));
}

/** Reads each card in each condition. Returns what could not be read; `say` hears of each size. */
export async function readCards(origin: string, merchant: DemoMerchant, say: (text: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'cards-'));
  const shots = join('test-results', 'engines', 'cards');
  mkdirSync(shots, { recursive: true });
  const { url, printed } = await print(origin, merchant);
  const unread: string[] = [];
  for (const { size, pdf, box } of printed) {
    for (const dpi of resolutions) {
      const sheet = rasterise(pdf, dpi, folder);
      const code = cut(sheet, { x: box.x, y: box.y, width: box.width }, dpi / 96);
      const millimetres = Math.round((box.width / 96) * 25.4);
      const results = Object.entries(conditions).map(([condition, spoil]) => {
        const image = spoil(photographed(code, dpi));
        const found = Object.entries(readers).filter(([, read]) => read(image, folder) === url);
        if (found.length === 0) unread.push(`${size} at ${dpi} dpi, ${condition}: nobody reads it`);
        return `${condition}: ${found.map(([name]) => name).join(', ') || 'nobody'}`;
      });
      say(`  ${size} at ${dpi} dpi, a code of ${millimetres} mm: ${results.join('; ')}`);
    }
    writeFileSync(join(shots, `${size}.pdf`), pdf);
  }
  rmSync(folder, { recursive: true });
  return unread;
}
