/** The proxies of `deploy/proxies`, each started with its own sample in front of two instances. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installBinary } from '../recovery/binaries';

export type ProxyName = 'nginx' | 'caddy' | 'haproxy';

export interface Proxy {
  /** Its process: the master of HAProxy. */
  pid: number;
  /** What it logged. */
  log(): string;
  stop(): Promise<void>;
}

interface Setup {
  folder: string;
  port: number;
  instances: [number, number];
}

/** Replaces parts of a sample by those of this machine. Errors: if the sample does not have one. */
export function adaptSample(sample: string, replacements: Record<string, string>): string {
  let text = readFileSync(join('deploy', sample), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${sample} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

const proxies: Record<ProxyName, { debian: string; command(setup: Setup): { args: string[]; log: string } }> = {
  nginx: {
    debian: 'nginx-light',
    command({ folder, port, instances: [one, two] }) {
      const log = join(folder, 'access.log');
      const site = adaptSample('proxies/nginx.conf', {
        'listen 443 ': `listen 127.0.0.1:${port} `,
        '127.0.0.1:3001': `127.0.0.1:${one}`,
        '127.0.0.1:3002': `127.0.0.1:${two}`,
        '/etc/ssl/loyalty': folder,
        '/var/log/nginx/loyalty.log': log,
        '/var/log/nginx/loyalty-errors.log': join(folder, 'errors.log'),
      });
      writeFileSync(join(folder, 'site.conf'), site);
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log ${folder}/errors.log crit; events {} http { include site.conf; }`,
      );
      return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')], log };
    },
  },
  caddy: {
    debian: 'caddy',
    command({ folder, port, instances }) {
      const log = join(folder, 'access.log');
      const text = adaptSample('proxies/Caddyfile', {
        '{$SITE}': `https://localhost:${port}`,
        '{$INSTANCES:service:3000}': instances.map((instance) => `127.0.0.1:${instance}`).join(' '),
      });
      const file = join(folder, 'Caddyfile');
      // Its own authority stays out of this machine's store.
      writeFileSync(file, `{\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`);
      return { args: ['run', '--config', file], log };
    },
  },
  haproxy: {
    debian: 'haproxy',
    command({ folder, port, instances: [one, two] }) {
      const text = adaptSample('proxies/haproxy.cfg', {
        'bind :443 ': `bind 127.0.0.1:${port} `,
        '/etc/ssl/loyalty/': join(folder, 'both.pem'),
        '127.0.0.1:3001': `127.0.0.1:${one}`,
        '127.0.0.1:3002': `127.0.0.1:${two}`,
      });
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, text);
      return { args: ['-W', '-f', file], log: join(folder, 'output.log') };
    },
  },
};

/** Starts a proxy with its sample, and resolves when it listens. */
export async function startProxy(name: ProxyName, setup: Omit<Setup, 'folder'>): Promise<Proxy> {
  const { debian, command } = proxies[name];
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  createCertificate(folder);
  const { args, log } = command({ ...setup, folder });
  return launchProxy({ name, debian, folder, args, log, port: setup.port });
}

interface Launch {
  name: ProxyName;
  debian: string;
  folder: string;
  args: string[];
  /** The file of its log. */
  log: string;
  port: number;
}

/** Starts a configured proxy, installed where it is missing and we may, and resolves when it listens. */
export async function launchProxy({ name, debian, folder, args, log, port }: Launch): Promise<Proxy> {
  if (!['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, name)))) installBinary(debian);
  const output = openSync(join(folder, 'output.log'), 'a');
  const child = spawn(name, args, {
    stdio: ['ignore', output, output],
    env: {
      NODE_ENV: 'production',
      PATH: '/usr/sbin:/usr/bin:/bin',
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  });
  await untilListening(port, child, () => readFileSync(join(folder, 'output.log'), 'utf8'));
  return {
    pid: child.pid as number,
    log: () =>
      [log, join(folder, 'output.log')].map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join(''),
    stop: async () => {
      const closed = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function createCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '1'];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject];
  execFileSync('openssl', options, { stdio: 'ignore' });
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
}

async function untilListening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await wait(50)) {
    if (child.exitCode !== null) break;
    const isOpen = await new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
      socket.unref();
    });
    if (isOpen) return;
  }
  throw new Error(`the proxy does not listen:\n${output()}`);
}
