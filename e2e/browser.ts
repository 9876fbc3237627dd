import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Chromium on a machine without a sandbox, a display or the internet. */
export const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  // It would be emulated, in a process of its own.
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Finds an installed Chromium or Chrome, or Playwright's own; undefined where there is none. Prefers the headless
 * shell, which is lighter. To watch a test, set CHROMIUM_PATH.
 */
export function findBrowser(): string | undefined {
  const named = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const paths = named.map((name) => `/usr/bin/${name}`);
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return [process.env.CHROMIUM_PATH ?? '', ...paths, mac, chromium.executablePath()].find(
    (path) => path !== '' && existsSync(path),
  );
}

/** Finds a browser, or installs one: Playwright's, or Debian's package where that is unavailable and we are root. */
export async function ensureBrowser(): Promise<true> {
  if (findBrowser()) return true;
  const apt = ['install', '-y', '-qq', '--no-install-recommends', 'fonts-noto-cjk'];
  const attempts: [string, string[]][] = [
    ['npx', ['playwright', 'install', 'chromium']],
    ['apt-get', ['update', '-qq']],
    ['apt-get', [...apt, 'chromium-headless-shell']],
    ['apt-get', [...apt, 'chromium']],
  ];
  for (const [command, args] of attempts) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    // Where it fails the next way is tried; the check below tells when none worked.
    await once(child, 'close').catch(() => {});
    if (findBrowser()) return true;
  }
  throw new Error('No Chromium: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.');
}
