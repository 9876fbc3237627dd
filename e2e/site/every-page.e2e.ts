/**
 * Rules for every page and every export, found in their folders and lists, so that new ones are included automatically.
 */
import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import type { Page, Response } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { dinerCookieName } from '@/server/auth/diner-cookie';
import { attacksIn } from '../fixtures/attacks';
import { createHostileMerchant, type HostileMerchant } from '../fixtures/hostile-merchant';
import { signIn } from '../fixtures/screens';
import { expect, test } from '../fixtures/test';

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(sep).join('/'));

/** The addresses of all pages, with the parts in brackets filled in. */
function addressesOf({ parts, more }: HostileMerchant): string[] {
  const pages = [
    ...filesOf('app').filter((file) => /(^|\/)page\.tsx$/.test(file)),
    ...filesOf('pages').filter((file) => /^[^_].*\.tsx$/.test(file)),
  ];
  const addresses = pages.map((file) => {
    const path = file
      .replace(/\/?(page)?\.tsx$/, '')
      .replace(/\([\w-]+\)\/?/g, '')
      .replace(/\/$/, '');
    return `/${path}`.replace(/([\w-]+)\/\[\w+\]/g, (named) => {
      if (!parts[named]) throw new Error(`${file}: say in hostile-merchant.ts what stands for ${named}`);
      return `${named.split('/')[0]}/${parts[named]}`;
    });
  });
  return [...addresses.sort(), ...more];
}

/** Only scripts of the answer's own nonce run; nothing may frame it, guess its type, or keep it. */
async function expectSafe(page: Page, answer: Response | null, path: string): Promise<string> {
  const headers = answer?.headers() ?? {};
  const policy = headers['content-security-policy'] ?? '';
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
    expect(policy, path).toContain(part);
  expect(policy, path).not.toMatch(/(script|style)-src[^;]*'unsafe-/);
  expect(headers, path).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect(headers['referrer-policy'], path).toMatch(/^(strict-origin|no-referrer)$/);
  expect(headers['cache-control'], path).toContain('no-store');
  const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce.length, path).toBeGreaterThan(20);
  // A browser hides the nonce from everybody but the script itself.
  const strangers = await page.evaluate(
    (own) => [...document.scripts].filter(({ src, nonce }) => !src && nonce !== own).length,
    nonce,
  );
  expect(strangers, path).toBe(0);
  return nonce;
}

/** What is on the screen once all is there, in fields as well; no attack became an element of the page. */
async function expectHarmless(page: Page, path: string): Promise<string> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('main .animate-pulse'));
  const { text, elements } = await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
    const attacks = document.querySelectorAll('img[src="x"], [onerror], [onload], a[href^="javascript:"]');
    const ran = 'hacked' in window ? ['it ran'] : [];
    return {
      text: [document.title, document.body.innerText, ...fields].join('\n'),
      elements: [...[...attacks].map(({ outerHTML }) => outerHTML), ...ran],
    };
  });
  expect(elements, path).toEqual([]);
  return text;
}

test('every page shows any field’s content as text, runs only its own scripts, and is not cached', async ({
  page,
  demo,
  context,
}) => {
  test.setTimeout(300_000);
  // Chromium keeps a library's probe of eval to itself; other browsers show each.
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ blockedURI }) => {
      if (blockedURI === 'eval') reportError(new Error('a script was compiled from text'));
    }),
  );
  const hostile = await createHostileMerchant(demo.origin);
  await signIn(page, hostile);
  const diner = { name: dinerCookieName(demo.origin, hostile.id), value: hostile.dinerToken };
  await context.addCookies([{ ...diner, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' }]);
  const nonces: string[] = [];
  const shown = new Set<string>();
  const files = new Set<string>();
  for (const path of addressesOf(hostile)) {
    nonces.push(await expectSafe(page, await page.goto(path), path));
    for (const column of attacksIn(await expectHarmless(page, path))) shown.add(column);
    const links = await page.locator('a[href^="/export/"]').all();
    for (const link of links) files.add((await link.getAttribute('href')) ?? '');
  }
  expect(nonces.length).toBeGreaterThan(45);
  expect(new Set(nonces).size).toBe(nonces.length);
  // The attacks were there to be seen.
  const columns =
    'adjustments.reason api_keys.name audit_log.after customers.given_name menu_items.description menu_options.name';
  const others =
    'merchants.name order_lines.note orders.note sale_lines.name stores.name users.name voucher_campaigns.name';
  expect([...shown]).toEqual(expect.arrayContaining(`${columns} ${others}`.split(' ')));
  expect(shown.size).toBeGreaterThan(36);

  expect(files.size).toBeGreaterThan(10);
  for (const file of files) {
    const answer = await page.request.get(file);
    expect(answer.status(), file).toBe(200);
    expect(answer.headers(), file).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    // Its tables are for an import, which needs them as they are, and not for a spreadsheet. Cells of a workbook are typed texts.
    if (answer.headers()['content-type'] !== 'text/csv; charset=utf-8') continue;
    const cells = (parse(await answer.text(), { bom: true }) as string[][]).flat();
    const formulas = cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell));
    expect(formulas, file).toEqual([]);
  }
});
