/**
 * `npm run proof:browsers`: Firefox and WebKitGTK do what diners and staff do every day, on a phone's and a laptop's width,
 * and decoders read printed cards, against the demo on `E2E_PORTS`. Leaves screenshots in `test-results/engines`.
 * `ENGINES=firefox` runs a part: `cards`, `firefox`, `webkit`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { demoFolder, merchantIn, readDemo } from '../fixtures/demo';
import { blankSettings } from '../fixtures/service-environment';
import { openTill } from '../fixtures/till';
import { readCards } from './cards';
import { dinerSteps, type Visit } from './diner';
import { type Driver, until } from './driver';
import { startFirefox } from './firefox';
import { openPage } from './page';
import { staffSteps } from './staff';
import { startWebKit } from './webkit';

const port = Number((process.env.E2E_PORTS || '3210').split(',')[0]);
const origin = `http://localhost:${port}`;
const say = (text: string) => process.stdout.write(`${text}\n`);
const widths = { phone: [390, 844], laptop: [1440, 900] } as const;
const ways = { diner: dinerSteps, staff: staffSteps };

const engines: Record<string, { programs: string[]; packages: string[]; start: () => Promise<Driver> }> = {
  firefox: { programs: ['firefox-esr'], packages: ['firefox-esr'], start: () => startFirefox(origin) },
  webkit: {
    programs: ['WebKitWebDriver', 'Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
    start: startWebKit,
  },
};

/** Installs what is missing, where we may. */
function install({ programs, packages }: { programs: string[]; packages: string[] }): void {
  const isThere = () => programs.every((program) => spawnSync('which', [program]).status === 0);
  if (isThere()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, stdio: 'inherit' });
  if (!isThere()) throw new Error(`install ${packages.join(' and ')} first`);
}

async function startDemo() {
  const env = { ...process.env, ...blankSettings, PORT: String(port), DATA_DIR: demoFolder(port) };
  const demo = spawn('node', ['--import', 'tsx', 'server/cli/demo.ts'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = () =>
    fetch(`${origin}/api/ready`).then(
      ({ ok }) => (ok ? true : null),
      () => null,
    );
  await until('demo', isReady, 900);
  return async () => {
    demo.kill();
    await once(demo, 'exit');
  };
}

/** Takes one way at one width. Returns what went wrong. */
async function take(driver: Driver, way: keyof typeof ways, width: keyof typeof widths): Promise<string[]> {
  const merchant = merchantIn(readDemo(demoFolder(port)), 'SGD');
  const folder = join('test-results', 'engines', `${driver.name.split(' ')[0]}-${way}-${width}`);
  const page = openPage(driver, origin, folder);
  const table = `E${Date.now() % 1_000_000}`;
  const visit: Visit = { page, till: openTill(origin, merchant.stores[0]?.apiKey ?? ''), merchant, table };
  const memory: Record<string, string> = {};
  const problems: string[] = [];
  await page.open('/sign-in');
  await driver.forgetCookies();
  await driver.resize(widths[width][0], widths[width][1]);
  await driver.complaints();
  for (const [name, step] of Object.entries(ways[way])) {
    const failure = await step({ ...visit, memory }).then(
      () => null,
      (error: Error) => error.message,
    );
    const complaints = [...new Set(await driver.complaints())];
    const scroll = await driver.execute<number>('return document.documentElement.scrollWidth - innerWidth');
    if (scroll > 0) complaints.push(`the page is ${scroll} px wider than the screen`);
    const found = failure === null ? complaints : [failure, ...complaints];
    say(
      `${found.length === 0 ? '✓' : '✗'} ${driver.name}, ${width}: ${name}${found.map((one) => `\n    ${one}`).join('')}`,
    );
    problems.push(...found.map((one) => `${name}: ${one}`));
    if (failure !== null) break;
  }
  return problems;
}

const chosen = (process.env.ENGINES || ['cards', ...Object.keys(engines)].join(',')).split(',');
const stopDemo = await startDemo();
let problems = 0;
try {
  if (chosen.includes('cards')) {
    install({ programs: ['pdftoppm', 'zbarimg'], packages: ['poppler-utils', 'zbar-tools'] });
    say('Printed cards, by who read each:');
    const unread = await readCards(origin, merchantIn(readDemo(demoFolder(port)), 'SGD'), say);
    for (const one of unread) say(`✗ ${one}`);
    problems += unread.length;
  }
  for (const name of chosen.filter((one) => one !== 'cards')) {
    const engine = engines[name];
    if (!engine) throw new Error(`there is no engine ${name}: ${Object.keys(engines).join(', ')}`);
    install(engine);
    const driver = await engine.start();
    try {
      for (const width of Object.keys(widths) as (keyof typeof widths)[])
        for (const way of Object.keys(ways) as (keyof typeof ways)[])
          problems += (await take(driver, way, width)).length;
    } finally {
      await driver.close();
    }
  }
} finally {
  await stopDemo();
}
say(problems === 0 ? 'All of it works.' : `${problems} problems.`);
process.exit(problems === 0 ? 0 : 1);
