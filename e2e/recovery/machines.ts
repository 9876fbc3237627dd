/**
 * Machines of a drill, on one Linux and as root: each has a name, an address, a cable that can be unplugged, and folders
 * of its own (namespaces). What runs on one is restarted a second after it ended, as systemd does with `Restart=always`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stopSignal } from '@/server/cli/run';
import { killWithChildren } from '../chaos/victims';

const restartMs = 1_000;
const network = '10.0.0';
const isolated = 'LOYALTY_DRILL_IS_ISOLATED';

/** A program that a machine keeps running. */
export interface Unit {
  name: string;
  user: string;
  command: string[];
  env?: Record<string, string>;
}

/**
 * Runs this program again in a network, a process table and mounts of its own, which end with it. Returns true there, and
 * false outside once it is over.
 */
export async function runIsolated(): Promise<boolean> {
  if (process.env[isolated]) return true;
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  // The shell collects processes whose parents have ended.
  const self = ['sh', '-c', '"$@"; exit $?', 'sh', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...namespaces, ...self], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, [isolated]: 'true' },
  });
  void stopSignal().then((signal) => child.pid && process.kill(-child.pid, signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
  return false;
}

/** Creates machines of these names on one network. `owned` are the folders that each has of its own, with their users. */
export async function createMachines(folder: string, names: string[], owned: Record<string, string>) {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'switch', 'type', 'bridge');
  ip('addr', 'add', `${network}.1/24`, 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
  const addressOf = (n: number) => `${network}.${n + 11}`;
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, ['127.0.0.1 localhost', ...names.map((name, n) => `${addressOf(n)} ${name}`), ''].join('\n'), {
    mode: 0o644,
  });
  execFileSync('mount', ['--bind', hosts, '/etc/hosts']);
  return Promise.all(names.map((name, n) => createMachine(join(folder, name), name, addressOf(n), owned)));
}

async function createMachine(root: string, name: string, address: string, owned: Record<string, string>) {
  // Ctrl-C goes to the drill alone.
  const alone = { stdio: 'ignore', detached: true } as const;
  const holder = spawn('unshare', ['--net', '--mount', '--uts', 'sleep', 'infinity'], alone);
  const pid = String(holder.pid);
  while (namespaceOf(pid) === namespaceOf('self')) await wait(5);
  const machine = new Machine(root, name, address, pid);
  machine.run('root', ['hostname', name]);
  ip('link', 'add', machine.cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid);
  ip('link', 'set', machine.cable, 'master', 'switch', 'up');
  machine.run('root', ['ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0']);
  for (const device of ['lo', 'eth0']) machine.run('root', ['ip', 'link', 'set', device, 'up']);
  for (const [path, user] of Object.entries(owned)) {
    mkdirSync(path, { recursive: true });
    mkdirSync(machine.path(path), { recursive: true });
    execFileSync('chown', [`${user}:`, machine.path(path)]);
    machine.run('root', ['mount', '--bind', machine.path(path), path]);
  }
  return machine;
}

interface Running {
  unit: Unit;
  child?: ChildProcess;
  isWanted: boolean;
}

export class Machine {
  readonly #units = new Map<string, Running>();

  constructor(
    readonly root: string,
    readonly name: string,
    readonly address: string,
    /** The process that holds its namespaces. */
    readonly pid: string,
  ) {}

  get cable(): string {
    return `to-${this.name}`;
  }

  /** The command that runs `command` on it. */
  enter(user: string, command: string[]): [string, ...string[]] {
    const as = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    return ['nsenter', '--target', this.pid, '--net', '--mount', '--uts', '--', ...as, ...command];
  }

  /** Runs a program to its end, with `input` as its standard input, and returns what it printed. */
  run(user: string, command: string[], env: Record<string, string> = {}, input = ''): string {
    const [program, ...args] = this.enter(user, command);
    return execFileSync(program, args, { encoding: 'utf8', cwd: '/', env: { ...bare, ...env }, input });
  }

  /** Where the drill finds a path in one of its own folders. */
  path(path: string): string {
    return join(this.root, path);
  }

  /** Writes a file into one of its own folders, for this user alone. */
  write(path: string, user: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text, { mode: 0o600 });
    execFileSync('chown', [`${user}:`, this.path(path)]);
  }

  start(...units: Unit[]): void {
    for (const unit of units) this.#units.set(unit.name, { unit, isWanted: false });
    for (const { name } of units) this.resume(name);
  }

  /** Starts a unit that was stopped. */
  resume(name: string): void {
    const running = this.#find(name);
    running.isWanted = true;
    if (!isAlive(running.child)) this.#launch(running);
  }

  /** Ends a unit as systemd does, and does not restart it. */
  async stop(name: string): Promise<void> {
    const running = this.#find(name);
    running.isWanted = false;
    const { child } = running;
    if (!child || !isAlive(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  /** Kills a unit. It is restarted, unless `isLost`. */
  kill(name: string, isLost = false): void {
    const { child, ...running } = this.#find(name);
    this.#find(name).isWanted = running.isWanted && !isLost;
    if (child?.pid && isAlive(child)) killWithChildren(child.pid);
  }

  /** Every process ends at once, nothing is restarted, and nothing answers any more. */
  powerOff(): void {
    this.unplug();
    for (const running of this.#units.values()) running.isWanted = false;
    for (let left = this.#processes(); left.length > 0; left = this.#processes()) left.forEach(killWithChildren);
  }

  powerOn(): void {
    this.plug();
    for (const name of this.#units.keys()) this.resume(name);
  }

  /** Nothing reaches it any more, and nothing is refused: packets are lost. */
  unplug(): void {
    ip('link', 'set', this.cable, 'nomaster');
  }

  plug(): void {
    ip('link', 'set', this.cable, 'master', 'switch');
  }

  #find(name: string): Running {
    const running = this.#units.get(name);
    if (!running) throw new Error(`${this.name} has no ${name}`);
    return running;
  }

  #launch(running: Running): void {
    const { name, user, command, env } = running.unit;
    const log = openSync(this.path(`${name}.log`), 'a');
    const [program, ...args] = this.enter(user, command);
    const options = { cwd: '/', env: { ...bare, ...env }, detached: true };
    const child = spawn(program, args, { stdio: ['ignore', log, log], ...options });
    closeSync(log);
    running.child = child;
    child.once('exit', () =>
      setTimeout(() => {
        if (running.isWanted && running.child === child) this.#launch(running);
      }, restartMs),
    );
  }

  #processes(): number[] {
    const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && entry !== this.pid);
    const namespace = namespaceOf(this.pid);
    return all.filter((pid) => namespace !== undefined && namespaceOf(pid) === namespace).map(Number);
  }
}

/** What a program finds in its environment beside its own settings. */
const bare = { PATH: process.env.PATH, LANG: 'C.UTF-8' } as NodeJS.Dict<string> as NodeJS.ProcessEnv;

const ip = (...args: string[]) => execFileSync('ip', args);

const isAlive = (child?: ChildProcess) => child !== undefined && child.exitCode === null && child.signalCode === null;

/** Undefined: the process has ended. */
function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined;
  }
}

/** A file of variables as systemd reads them, filled in. */
export function readVariables(path: string, fill: (text: string) => string): Record<string, string> {
  const lines = fill(readFileSync(path, 'utf8')).matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
