/** Firefox by Marionette, its own form of WebDriver over a socket: no driver has to be installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Driver, freePort, readLines, until } from './driver';

type Answer = [type: number, id: number, error: { error: string; message: string } | null, result: unknown];

/** Each message is its length in bytes, a colon, and JSON. */
function speak(socket: Socket) {
  let [buffer, id] = [Buffer.alloc(0), 0];
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('data', (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const colon = buffer.indexOf(':');
      const length = Number(buffer.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || buffer.length < colon + 1 + length) return;
      const message = JSON.parse(buffer.subarray(colon + 1, colon + 1 + length).toString());
      buffer = buffer.subarray(colon + 1 + length);
      if (Array.isArray(message)) waiting.get(message[1])?.(message as Answer);
    }
  });
  return async <Value>(command: string, parameters: object = {}): Promise<Value> => {
    id += 1;
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    const text = JSON.stringify([0, id, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await answer;
    if (error) throw new Error(`${command}: ${error.message}`);
    return result as Value;
  };
}

/** Errors of scripts and policies since the last call. */
const readConsole = `
  const [isOurs, seen] = [(text) => text.includes(arguments[0]), []];
  for (const message of Services.console.getMessageArray()) {
    if (!(message instanceof Ci.nsIScriptError)) continue;
    if (isOurs(message.sourceName || '') || isOurs(message.errorMessage)) seen.push(message.errorMessage);
  }
  Services.console.reset();
  return seen;`;

/** Starts Firefox without a window. Console messages of `origin` count. */
export async function startFirefox(origin: string): Promise<Driver> {
  const [profile, port] = [await mkdtemp(join(tmpdir(), 'firefox-')), await freePort()];
  const preferences = {
    'marionette.port': port,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.disabledForTesting': true,
    'layout.css.devPixelsPerPx': '1.0',
    'intl.accept_languages': 'en',
    // What pages log themselves is in no list of the browser's own process.
    'devtools.console.stdout.content': true,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile];
  const firefox = spawn('firefox-esr', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: profile },
  });
  const logged = readLines(firefox.stdout, /^console\.(error|warn): (?!RSLoader)/);
  const socket = await until('Firefox', () => dial(port), 60);
  const send = speak(socket);
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('WebDriver:NewSession', {
    capabilities: { alwaysMatch: { timeouts: { pageLoad: 60_000, script: 60_000 } } },
  });
  /** With the rights of the browser itself. */
  const asBrowser = async <Value>(script: string, given: unknown[] = []): Promise<Value> => {
    await send('Marionette:SetContext', { value: 'chrome' });
    try {
      return (await send<{ value: Value }>('WebDriver:ExecuteScript', { script, args: given })).value;
    } finally {
      await send('Marionette:SetContext', { value: 'content' });
    }
  };
  await asBrowser("document.documentElement.style.setProperty('min-width', '0', 'important')");
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    navigate: (url) => send('WebDriver:Navigate', { url }),
    execute: async <Value>(script: string, given: unknown[] = []) =>
      (await send<{ value: Value }>('WebDriver:ExecuteScript', { script, args: given })).value,
    perform: (actions) => send('WebDriver:PerformActions', { actions }),
    resize: async (width, height) => {
      await send('WebDriver:SetWindowRect', { width, height: height + 85 });
    },
    screenshot: async () => (await send<{ value: string }>('WebDriver:TakeScreenshot', { full: false })).value,
    forgetCookies: () => send('WebDriver:DeleteAllCookies'),
    complaints: async () => [...(await asBrowser<string[]>(readConsole, [origin])), ...logged()],
    close: async () => {
      const ended = once(firefox, 'exit');
      firefox.kill();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

const dial = (port: number) =>
  new Promise<Socket | null>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', () => resolve(null));
  });
