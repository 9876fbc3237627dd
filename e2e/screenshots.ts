/**
 * `npm run screenshots [origin]`: a picture of every screen, in both themes, on a phone and on a desktop, from a running
 * demo. DATA_DIR names the demo's data where it is not `.data`.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { browserArguments, findBrowser } from './browser';
import { type Demo, merchantIn, readDemo } from './fixtures/demo';
import { openDocs, openOperation, signIn, themes, viewports } from './fixtures/screens';
import { newBillId, openTill } from './fixtures/till';

const folder = join('test-results', 'screenshots');
const demo = readDemo(resolve(process.env.DATA_DIR || '.data'));
const origin = process.argv[2] ?? demo.origin;

type Screen = (page: Page) => Promise<unknown>;

async function tableAddress(currency: 'SGD' | 'JPY', table: string): Promise<string> {
  const [store] = merchantIn(demo, currency).stores;
  const { url } = await openTill(origin, store?.apiKey ?? '').generateQrCode({ billId: newBillId(), table });
  return new URL(url).pathname;
}

async function screensOf({ merchants: [merchant] }: Demo): Promise<Record<string, Screen>> {
  if (!merchant) throw new Error('the demo has no merchant');
  const table = await tableAddress('SGD', '7');
  const tableInYen = await tableAddress('JPY', '窓側 A12');
  return {
    start: (page) => page.goto('/'),
    docs: openDocs,
    'docs-operation': async (page) => {
      await openDocs(page);
      await openOperation(page, 'topUpStoredValue');
    },
    'sign-in': (page) => page.goto('/sign-in'),
    'sign-in-refused': async (page) => {
      await page.goto('/sign-in');
      await page.getByLabel('E-mail').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('do not match').waitFor();
    },
    home: (page) => signIn(page, merchant),
    table: (page) => page.goto(table),
    'table-in-yen': (page) => page.goto(tableInYen),
    settled: (page) => page.goto('/q/settled'),
    'not-found': (page) => page.goto('/nowhere'),
  };
}

async function takePictures(browser: Browser, screens: Record<string, Screen>): Promise<void> {
  for (const colorScheme of themes) {
    for (const viewport of Object.values(viewports)) {
      for (const [name, open] of Object.entries(screens)) {
        const page = await browser.newPage({ baseURL: origin, colorScheme, viewport, reducedMotion: 'reduce' });
        await open(page);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
        await page.close();
      }
    }
  }
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
try {
  await takePictures(browser, await screensOf(demo));
  process.stdout.write(`${folder}\n`);
} finally {
  await browser.close();
}
