/**
 * `npm run proof:image`: builds `deploy/Dockerfile` and runs the image as `deploy/compose.yaml` says: not as root, on a
 * read-only root, without capabilities. No registry of images is asked: the base is a Debian of debootstrap with the Node
 * of this machine, and PostgreSQL is the embedded one, with the roles of `deploy/roles.sql`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmbedded } from '@/db/operations/embedded';
import { freePort } from '@/db/operations/ports';
import { StartupError } from '@/db/startup-error';
import { run } from '@/server/cli/run';
import { installBinary, postgresFolder } from '../recovery/binaries';
import { createMerchant, enrol, newSale } from './merchant';

const tools = { debootstrap: '/usr/sbin/debootstrap', buildah: '/usr/bin/buildah', runc: '/usr/sbin/runc' };
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const passwords = { OWNER_PASSWORD: "owner's", SERVICE_PASSWORD: 'service' };
/** What Docker waits for by `stop_grace_period`. */
const graceMs = 30_000;

run(async () => {
  if (process.getuid?.() !== 0) throw new StartupError('proof:image builds a root file system: run it as root.');
  for (const [name, file] of Object.entries(tools)) if (!existsSync(file)) installBinary(name);
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-image-'));
  const server = await startEmbedded({ dataDir: join(folder, 'postgres'), unsafe: true });
  const images = openStorage(folder);
  try {
    const psql = join(postgresFolder(), 'psql');
    execFileSync(psql, ['--quiet', '--file', 'deploy/roles.sql', server.url()], {
      env: { ...process.env, ...passwords },
    });
    createBase(join(folder, 'base'), images);
    const options = ['--pull-never', '--format', 'docker', '--ignorefile', 'deploy/Dockerfile.dockerignore'];
    images('bud', ...options, '--file', 'deploy/Dockerfile', '--tag', 'loyalty', '.');
    say('deploy/Dockerfile is built.');

    const container = images('from', 'loyalty');
    const port = await freePort();
    const address = (role: string) =>
      Object.assign(new URL(server.url('loyalty')), {
        username: role,
        password: encodeURIComponent(role === 'loyalty' ? passwords.SERVICE_PASSWORD : passwords.OWNER_PASSWORD),
      }).href;
    const secret = 'forty characters that are for the drill';
    const image = new Image(folder, images('mount', container), readConfig(images), {
      APP_ENV: 'sandbox',
      AUTH_SECRET: secret,
      DATA_SECRET: secret.toUpperCase(),
      PORT: String(port),
    });
    const owner = { DATABASE_OWNER_URL: address('loyalty_owner') };
    say(image.call(['migrate'], owner));
    const key = createMerchant({ call: (...args) => image.call(args, owner) });
    const service = image.start({ DATABASE_URL: address('loyalty') });
    await service.untilHealthy();
    say(`It runs as ${service.exec('id', '--user')}. Its health check: ${service.exec('bin/loyalty', 'health')}`);
    const attempt = service.exec('sh', '-c', 'touch /opt/loyalty/file 2>&1 || touch /tmp/file');
    if (!attempt.includes('Read-only file system')) throw new Error(`its root is not read-only: ${attempt}`);
    await enrol(port, key);
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/sales`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(newSale('image-1')),
    });
    if (status !== 200) throw new Error(`the sale is answered with ${status}`);
    const { code, ms } = await service.stop();
    say(`A sale is recorded. SIGTERM ends it after ${(ms / 1000).toFixed(1)} s with exit code ${code}.`);
    if (code !== 0 || ms > graceMs) process.exitCode = 1;
  } finally {
    // A drill that fails leaves nothing behind.
    const containers = join(folder, 'runc');
    const left = existsSync(containers) ? readdirSync(containers) : [];
    for (const id of left) execFileSync('runc', ['--root', containers, 'delete', '--force', id]);
    images('umount', '--all');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

const say = (line: string) => process.stdout.write(`${line.trim()}\n`);

/** buildah with a storage of its own, and without namespaces: `RUN` is a chroot. Returns what it prints. */
function openStorage(folder: string) {
  const storage = join(folder, 'storage.conf');
  const parts = ['driver = "overlay"', `graphroot = "${folder}/storage"`, `runroot = "${folder}/run"`];
  writeFileSync(storage, `[storage]\n${parts.join('\n')}\n`);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  return (...args: string[]): string =>
    execFileSync('buildah', args, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 << 20,
    }).trim();
}

type Images = ReturnType<typeof openStorage>;

/** The image that the Dockerfile starts from: Debian, and what the official one adds: Node, npm and the user `node`. */
function createBase(root: string, images: Images): void {
  const release = ['--variant=minbase', '--include=ca-certificates', 'bookworm', root];
  execFileSync('debootstrap', release, { stdio: ['ignore', 'ignore', 'inherit'] });
  const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  cpSync(join(modules, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    execFileSync('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name)]);
  }
  execFileSync('chroot', [root, '/usr/sbin/useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  // This machine may reach the package registry through an authority of its own.
  if (existsSync(certificates)) cpSync(certificates, join(root, certificates), { dereference: true });
  const container = images('from', 'scratch');
  images('copy', '--quiet', container, root, '/');
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  images('config', '--env', path, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container);
  const [, name = ''] = /^FROM (\S+)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? [];
  images('commit', '--quiet', '--rm', container, `docker.io/library/${name}`);
  rmSync(root, { recursive: true });
}

interface Config {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

function readConfig(images: Images): Config {
  return JSON.parse(images('inspect', '--type', 'image', 'loyalty')).Docker.config;
}

/** A built image, run by runc with the limits of `compose.yaml` on the network of this machine. */
class Image {
  constructor(
    private readonly folder: string,
    private readonly root: string,
    private readonly config: Config,
    private readonly settings: Record<string, string>,
  ) {}

  private readonly state = () => ['--root', join(this.folder, 'runc')];

  /** Writes what runc needs to run a command. Returns its arguments. */
  private prepare(name: string, args: string[], settings: Record<string, string>): string[] {
    if (this.config.User !== 'node') throw new Error(`the image runs as ${this.config.User}`);
    const bundle = join(this.folder, 'bundles', name);
    mkdirSync(bundle, { recursive: true });
    rmSync(join(bundle, 'config.json'), { force: true });
    execFileSync('runc', ['spec'], { cwd: bundle });
    const spec = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
    const env = Object.entries({ ...this.settings, ...settings }).map(([key, value]) => `${key}=${value}`);
    spec.root = { path: this.root, readonly: true };
    Object.assign(spec.process, {
      terminal: false,
      user: { uid: 1000, gid: 1000 },
      noNewPrivileges: true,
      capabilities: {},
      args: [...this.config.Entrypoint, ...args],
      env: [...this.config.Env, ...env],
      cwd: this.config.WorkingDir,
    });
    spec.linux.namespaces = spec.linux.namespaces.filter(({ type }: { type: string }) => type !== 'network');
    spec.mounts.push({
      destination: '/tmp',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'nodev', 'mode=1777'],
    });
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec));
    return [...this.state(), 'run', '--bundle', bundle, `loyalty-${process.pid}-${name}`];
  }

  /** Runs a command to its end. Returns what it prints. */
  call(args: string[], settings: Record<string, string>): string {
    return execFileSync('runc', this.prepare('command', args, settings), { encoding: 'utf8' });
  }

  start(settings: Record<string, string>) {
    const child = spawn('runc', this.prepare('service', this.config.Cmd, settings), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const closed = new Promise<number | null>((done) => child.once('exit', done));
    const id = `loyalty-${process.pid}-service`;
    const exec = (...command: string[]) =>
      execFileSync('runc', [...this.state(), 'exec', id, ...command], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const [, ...check] = this.config.Healthcheck.Test;
    return {
      exec,
      async untilHealthy(): Promise<void> {
        for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(500)) {
          if (child.exitCode !== null) throw new Error(`the container ended with ${child.exitCode}`);
          try {
            return void exec(...check);
          } catch {
            // Not yet.
          }
        }
        throw new Error('the container is not healthy after a minute');
      },
      stop: async (): Promise<{ code: number | null; ms: number }> => {
        const begun = Date.now();
        execFileSync('runc', [...this.state(), 'kill', id, 'TERM']);
        return { code: await closed, ms: Date.now() - begun };
      },
    };
  }
}
