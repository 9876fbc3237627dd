/** WebKitGTK's MiniBrowser by WebKitWebDriver, on a display of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Driver, freePort, readLines, until } from './driver';

const folder = '/usr/lib/x86_64-linux-gnu';
const browsers = ['4.1', '4.0'].map((version) => `${folder}/webkit2gtk-${version}/MiniBrowser`);

async function startDisplay(): Promise<{ display: string; xvfb: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data');
  return { display: `:${String(number).trim()}`, xvfb };
}

const end = async (child: ChildProcess) => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
};

/** Without room around the buttons, the window can be as narrow as a phone. */
const narrow = 'entry, button, image { min-width: 0; margin: 0; padding: 0; }';

/** Starts MiniBrowser. */
export async function startWebKit(): Promise<Driver> {
  const binary = browsers.find((path) => existsSync(path));
  if (!binary) throw new Error('there is no MiniBrowser: apt-get install webkit2gtk-driver');
  const { display, xvfb } = await startDisplay();
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  await mkdir(join(home, 'gtk-3.0'));
  await writeFile(join(home, 'gtk-3.0', 'gtk.css'), narrow);
  const env = { ...process.env, XDG_CONFIG_HOME: home, DISPLAY: display, LANG: 'C.UTF-8', LIBGL_ALWAYS_SOFTWARE: '1' };
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: ['ignore', 'pipe', 'ignore'], env });
  const logged = readLines(driver.stdout, /CONSOLE (JS )?(ERROR|WARN)/);
  const send = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const init = body ? { method, body: JSON.stringify(body) } : { method };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  await until('WebKitWebDriver', () => send('GET', '/status').catch(() => null));
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true'];
  const options = { 'webkitgtk:browserOptions': { binary, args } };
  const { sessionId, capabilities } = await send<{ sessionId: string; capabilities: { browserVersion: string } }>(
    'POST',
    '/session',
    { capabilities: { alwaysMatch: options } },
  );
  const at = (path: string) => `/session/${sessionId}${path}`;
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    navigate: (url) => send('POST', at('/url'), { url }),
    execute: (script, given = []) => send('POST', at('/execute/sync'), { script, args: given }),
    perform: (actions) => send('POST', at('/actions'), { actions }),
    resize: (width, height) => send('POST', at('/window/rect'), { width, height }),
    screenshot: () => send('GET', at('/screenshot')),
    forgetCookies: () => send('DELETE', at('/cookie')),
    complaints: async () => logged(),
    close: async () => {
      await send('DELETE', at('')).catch(() => {});
      await end(driver);
      await end(xvfb);
      await rm(home, { recursive: true, force: true });
    },
  };
}
