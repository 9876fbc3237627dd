/**
 * `npm run screenshots [origin]`: the README's pictures, from a running demo. DATA_DIR names the demo's data where it is
 * not `.data`. `--all` makes a picture of every screen instead, in both themes, on a phone and on a desktop.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { browserArguments, findBrowser } from './browser';
import { type Demo, merchantIn, readDemo } from './fixtures/demo';
import { openConsole, openOperation, signIn, themes, viewports } from './fixtures/screens';
import { openTill } from './fixtures/till';
import { imagesFolder, tableAddress, takeReadmePictures } from './readme-pictures';

const folder = join('test-results', 'screenshots');
const demo = readDemo(resolve(process.env.DATA_DIR || '.data'));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } });
const origin = positionals[0] ?? demo.origin;

type Screen = (page: Page) => Promise<unknown>;

async function screensOf({ merchants: [merchant] }: Demo): Promise<Record<string, Screen>> {
  if (!merchant) throw new Error('the demo has no merchant');
  const table = await tableAddress(origin, merchant, '7');
  const tableInYen = await tableAddress(origin, merchantIn(demo, 'JPY'), '窓側 A12');
  const signedIn =
    (path: string): Screen =>
    async (page) => {
      await signIn(page, merchant, path);
      await page.locator('main h1').waitFor();
      // Whether something is there or nothing yet: what is being loaded has come.
      await page.waitForFunction(() => !document.querySelector('main .animate-pulse'));
    };
  const withChart =
    (path: string): Screen =>
    async (page) => {
      await signedIn(path)(page);
      await page.locator('main svg.recharts-surface').first().waitFor();
    };
  return {
    start: (page) => page.goto('/'),
    docs: (page) => page.goto('/docs'),
    'docs-guide': (page) => page.goto('/docs/bill'),
    'docs-operation': (page) => page.goto('/docs/reference/redeemVoucher'),
    'docs-search': (page) => page.goto('/docs/search?q=retry'),
    'docs-console': async (page) => {
      await openConsole(page);
      await openOperation(page, 'topUpStoredValue');
    },
    'sign-in': (page) => page.goto('/sign-in'),
    'sign-in-refused': async (page) => {
      await page.goto('/sign-in');
      await page.getByLabel('E-mail').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Wrong e-mail or password').waitFor();
    },
    home: withChart('/home'),
    'reports-stored-value': withChart('/reports?report=liability'),
    'reports-sales': withChart('/reports?report=sales'),
    'reports-vouchers': withChart('/reports?report=vouchers'),
    'reports-points': withChart('/reports?report=points'),
    settings: signedIn('/settings'),
    customers: signedIn('/customers'),
    customer: signedIn(`/customers/${merchant.customers[0]?.customerId}`),
    'customers-import': async (page) => {
      await signIn(page, merchant, '/customers/import');
      await page.locator('main input[type=file]').waitFor({ state: 'attached' });
    },
    orders: async (page) => {
      await signIn(page, merchant, '/orders');
      await page.getByRole('article').first().waitFor();
    },
    'qr-codes': signedIn('/qr-codes'),
    'qr-code': async (page) => {
      await signedIn('/qr-codes')(page);
      await page.locator('main table a').last().click();
      await page.locator('main dl').first().waitFor();
    },
    'qr-code-new': async (page) => {
      await signedIn('/qr-codes')(page);
      await page.getByRole('button', { name: 'New code' }).click();
    },
    'table-cards': async (page) => {
      await signIn(page, merchant, '/qr-codes/print');
      await page.getByRole('article').first().waitFor();
    },
    menu: async (page) => {
      await signIn(page, merchant, '/menu');
      // On a phone the categories come first.
      await page.getByRole('button', { name: /^Toast & eggs/ }).click();
      await page.getByRole('link', { name: 'Kaya toast set' }).waitFor();
    },
    'menu-search': signedIn('/menu?search=kopi'),
    'menu-item': async (page) => {
      await signedIn('/menu?search=kopi')(page);
      await page.locator('main table a').first().click();
      await page.locator('main form').first().waitFor();
    },
    'menu-options': signedIn('/menu/options'),
    'menu-option-group': signedIn('/menu/options/new'),
    'menu-import': async (page) => {
      await signIn(page, merchant, '/menu/import');
      await page.locator('main input[type=file]').waitFor({ state: 'attached' });
    },
    'stock-outs': async (page) => {
      const [store] = merchant.stores;
      await openTill(origin, store?.apiKey ?? '').post('/stock-outs', { plus: ['N003', 'S001', 'X900'] });
      await signIn(page, merchant, '/stock-outs');
      await page.getByRole('button', { name: 'Mark all shown as available' }).waitFor();
    },
    stores: signedIn('/stores'),
    'api-keys': signedIn('/api-keys'),
    webhooks: signedIn('/webhooks'),
    packages: async (page) => {
      await signIn(page, merchant, '/packages');
      await page.locator('main li').first().waitFor();
    },
    'package-new': signedIn('/packages/new'),
    vouchers: signedIn('/vouchers'),
    'campaign-new': signedIn('/vouchers/new'),
    campaign: async (page) => {
      await signedIn('/vouchers')(page);
      await page.locator('main table a').first().click();
      await page.locator('main dl').first().waitFor();
    },
    'cash-up': signedIn('/cash-up'),
    staff: signedIn('/staff'),
    account: signedIn('/account'),
    'reset-password': (page) => page.goto('/reset-password'),
    'sandbox-inbox': (page) => page.goto('/sandbox-inbox'),
    messages: signedIn('/messages'),
    'message-templates': signedIn('/messages/templates'),
    'audit-log': signedIn('/audit-log'),
    automations: signedIn('/automations'),
    transactions: signedIn('/transactions'),
    transaction: async (page) => {
      await signedIn('/transactions')(page);
      await page.locator('main table a').first().click();
      await page.locator('main dl').first().waitFor();
    },
    table: (page) => page.goto(table),
    'table-item': async (page) => {
      await page.goto(table, { waitUntil: 'networkidle' });
      await page
        .getByRole('button', { name: /^Choose/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
    'loyalty-sign-in': async (page) => {
      await page.goto(table);
      await page.goto((await page.locator('a[href^="/loyalty/"]').getAttribute('href')) ?? '');
    },
    'table-in-yen': (page) => page.goto(tableInYen),
    closed: (page) => page.goto('/q/closed'),
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
        await page.evaluate(() => window.scrollTo(0, 0));
        await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
        await page.close();
      }
    }
  }
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
try {
  if (values.all) {
    mkdirSync(folder, { recursive: true });
    await takePictures(browser, await screensOf(demo));
    process.stdout.write(`${folder}\n`);
  } else {
    await takeReadmePictures(browser, demo, origin);
    process.stdout.write(`${imagesFolder}\n`);
  }
} finally {
  await browser.close();
}
