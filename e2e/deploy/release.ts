/** A release as an operator installs it: unpacked from the archive, with settings of its own, run as its unit says. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseEnv } from 'node:util';

/** Only what a new machine has: no variable of this project. */
const bareEnvironment = { NODE_ENV: 'production', PATH: process.env.PATH, HOME: tmpdir() } as const;

export interface Release {
  folder: string;
  /** Runs a command to its end. Returns what it prints. */
  call(command: string, ...args: string[]): string;
  /** Starts an instance on a port, and resolves when it is ready. */
  start(port: number): Promise<Instance>;
}

export interface Instance {
  /** What it has printed until now. */
  output(): { stdout: string; stderr: string };
  /** Stops as systemd does with `KillMode=mixed`: the main process gets SIGTERM. Resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Halts the main process for so many milliseconds. */
  pause(ms: number): Promise<void>;
}

/**
 * Makes a release of the build in `source`, and unpacks it where nothing else is, until this process ends. Its settings
 * complete those of the unit's sample.
 */
export function installRelease(settings: Record<string, string>, source = '.'): Release {
  const home = mkdtempSync(join(tmpdir(), 'loyalty-release-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  execFileSync('npx', ['--no-install', 'tsx', 'server/cli/package.ts', '--out', join(home, 'made')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: source,
  });
  const installed = join(home, 'opt');
  mkdirSync(installed);
  execFileSync('tar', [
    '--extract',
    '--gzip',
    '--file',
    join(home, 'made', 'loyalty.tar.gz'),
    '--directory',
    installed,
  ]);
  const folder = join(installed, 'loyalty');
  const sample = parseEnv(readFileSync(join(folder, 'deploy/systemd/loyalty.env'), 'utf8'));
  const env = { ...bareEnvironment, ...sample, ...settings };
  const program = programOf(readFileSync(join(folder, 'deploy/systemd/loyalty@.service'), 'utf8'), folder);
  return {
    folder,
    call: (...args) => execFileSync(join(folder, 'bin', 'loyalty'), args, { env, encoding: 'utf8', cwd: home }),
    async start(port) {
      const [file = '', ...args] = program;
      const child = spawn(file, args, {
        env: { ...env, PORT: String(port) },
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = { stdout: '', stderr: '' };
      child.stdout.on('data', (text) => (output.stdout += text));
      child.stderr.on('data', (text) => (output.stderr += text));
      const closed = new Promise<number | null>((done) => child.once('close', done));
      // A drill that fails leaves nothing behind.
      process.once('exit', () => child.kill('SIGKILL'));
      await untilReady(port, child);
      return {
        output: () => output,
        stop: () => {
          child.kill('SIGTERM');
          return closed;
        },
        pause: async (ms) => {
          child.kill('SIGSTOP');
          await wait(ms);
          child.kill('SIGCONT');
        },
      };
    },
  };
}

/** The command of a systemd unit, in the folder of this installation. */
function programOf(unit: string, folder: string): string[] {
  const [, command] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  if (!command?.startsWith('/opt/loyalty/')) throw new Error('the unit does not start /opt/loyalty');
  return command.replace('/opt/loyalty', folder).split(' ');
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(100)) {
    if (child.exitCode !== null) throw new Error(`the release ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/api/ready`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error('the release is not ready after a minute');
}
