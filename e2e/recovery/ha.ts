/** Three servers under Patroni, and two machines for the service with HAProxy and PgBouncer, as `deploy/ha` sets them up. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from '@/db/operations/migrate';
import { StartupError } from '@/db/startup-error';
import { eventually, killWithChildren } from '../chaos/victims';
import { installBinary, postgresFolder } from './binaries';
import type { Site } from './cluster';
import { createMachines, type Machine, readVariables } from './machines';

const sample = (name: string) => join('deploy', 'ha', name);
const serverNames = ['db1', 'db2', 'db3'];
const dataFolder = '/var/lib/postgresql/15/loyalty';
const folders = {
  '/var/lib/etcd': 'etcd',
  '/etc/patroni': 'postgres',
  '/var/lib/postgresql': 'postgres',
  '/run/postgresql': 'postgres',
  '/etc/haproxy': 'haproxy',
  '/etc/pgbouncer': 'postgres',
};

/** Installs Debian's packages where they are missing. Errors: `StartupError` where that can't be done. */
export function ensurePackages(): void {
  if (process.getuid?.() !== 0) throw new StartupError('Run it as root: its machines have networks of their own.');
  const programs = { patroni: 'patroni', etcd: 'etcd-server', etcdctl: 'etcd-client', ip: 'iproute2' };
  for (const [program, name] of Object.entries({ ...programs, haproxy: 'haproxy', pgbouncer: 'pgbouncer' })) {
    if (spawnSync('which', [program], { stdio: 'ignore' }).status !== 0) installBinary(name);
  }
  const [, named = ''] = /^ {2}bin_dir: (.*)$/m.exec(readFileSync(sample('patroni.yml'), 'utf8')) ?? [];
  if (postgresFolder() !== named && !existsSync(named)) {
    throw new StartupError(`${sample('patroni.yml')} names ${named}, and PostgreSQL is in ${postgresFolder()}.`);
  }
}

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

export interface Roles {
  leader: Machine;
  /** The standby that commits wait for, if they wait for one, and the other one. */
  synchronous: Machine;
  other: Machine;
  timeline: number;
}

export interface Ha {
  servers: Machine[];
  /** Where the service runs. */
  hosts: Machine[];
  /** The addresses of the database for the service, which are the same on each of its machines. */
  settings: { DATABASE_URL: string } & Record<string, string>;
  /** The leader's address past HAProxy and PgBouncer. */
  ownerUrl: string;
  /** Resolves when all three servers are up and follow one leader. */
  settled(ms: number): Promise<Roles>;
  switchOver(from: Machine, to: Machine): void;
  /** Kills a server's Patroni, and all of its PostgreSQL. */
  killServer(server: Machine): void;
  /** The machine of etcd's leader. */
  etcdLeader(): Machine;
}

/** Unless `isSynchronous`, commits don't wait for a standby, unlike in the sample. */
export async function startHa(site: Site, isSynchronous: boolean): Promise<Ha> {
  const machines = await createMachines(site.folder, [...serverNames, 'app1', 'app2'], folders);
  site.closing.push(async () => {
    for (const machine of machines) machine.powerOff();
  });
  const servers = machines.slice(0, serverNames.length);
  const hosts = machines.slice(serverNames.length);
  for (const machine of servers) startServer(machine, site.password, isSynchronous);
  for (const machine of hosts) startPooler(machine, site.password);

  const server = (name: string) => servers.find((machine) => machine.name === name) as Machine;
  const settled = (ms: number) =>
    eventually(async () => {
      await wait(200);
      const views = await Promise.all(serverNames.map(readMembers));
      const [roles, ...others] = views.map((members) => rolesOf(members, isSynchronous));
      // One that was cut off may still believe what was true then.
      if (!roles || others.some((seen) => seen?.leader !== roles.leader || seen.timeline !== roles.timeline))
        throw new Error(`not all servers follow one leader within ${ms} ms: ${JSON.stringify(views)}`);
      const { leader, synchronous, other, timeline } = roles;
      return { leader: server(leader), synchronous: server(synchronous), other: server(other), timeline };
    }, ms);
  const { leader } = await settled(90_000);
  const passwords = { OWNER_PASSWORD: site.password, SERVICE_PASSWORD: site.password };
  for (const file of [join('deploy', 'roles.sql'), sample('pgbouncer.sql')]) {
    leader.run('postgres', ['psql', '--quiet', '--file=-'], passwords, readFileSync(file, 'utf8'));
  }
  const address = (user: string, hosts: string) => `postgres://${user}:${site.password}@${hosts}/loyalty`;
  const anyServer = serverNames.map((name) => `${name}:5432`).join();
  await migrate(address('loyalty_owner', `${leader.name}:5432`));
  return {
    servers,
    hosts,
    settings: {
      // Debian's PgBouncer does not support prepared statements.
      DATABASE_URL: `${address('loyalty', '127.0.0.1:6432')}?prepare=false`,
      DATABASE_DIRECT_URL: address('loyalty', '127.0.0.1:5000'),
      DATABASE_OWNER_URL: address('loyalty_owner', '127.0.0.1:5000'),
      DATABASE_REPLICA_URL: address('loyalty', anyServer),
    },
    ownerUrl: address('loyalty_owner', anyServer),
    settled,
    switchOver: (from, to) => {
      const names = ['--leader', from.name, '--candidate', to.name];
      const command = ['patronictl', '-c', '/etc/patroni/config.yml', 'switchover', ...names, '--force'];
      from.run('postgres', command, patroniVariables(site.password));
    },
    killServer: (machine) => {
      machine.kill('patroni');
      killWithChildren(Number.parseInt(readFileSync(machine.path(`${dataFolder}/postmaster.pid`), 'utf8'), 10));
    },
    etcdLeader: () => server(readEtcdLeader()),
  };
}

/** Fills in a sample's `@HOST@`. */
const fill = (machine: Machine) => (text: string) => text.replaceAll('@HOST@', machine.name);

const patroniVariables = (password: string) =>
  readVariables(sample('patroni.env'), (text) => text.replaceAll('PASSWORD=', `PASSWORD=${password}`));

function startServer(machine: Machine, password: string, isSynchronous: boolean): void {
  const config = fill(machine)(readFileSync(sample('patroni.yml'), 'utf8'));
  const asynchronous = config.replace(/(synchronous_mode(_strict)?): true/g, '$1: false');
  machine.write('/etc/patroni/config.yml', 'postgres', isSynchronous ? config : asynchronous);
  const etcd = { ETCD_DATA_DIR: '/var/lib/etcd/default', ...readVariables(sample('etcd.env'), fill(machine)) };
  machine.start(
    { name: 'etcd', user: 'etcd', command: ['etcd'], env: etcd },
    {
      name: 'patroni',
      user: 'postgres',
      command: ['patroni', '/etc/patroni/config.yml'],
      env: patroniVariables(password),
    },
  );
}

function startPooler(machine: Machine, password: string): void {
  machine.write('/etc/haproxy/haproxy.cfg', 'haproxy', readFileSync(sample('haproxy.cfg'), 'utf8'));
  machine.write('/etc/pgbouncer/pgbouncer.ini', 'postgres', readFileSync(sample('pgbouncer.ini'), 'utf8'));
  machine.write('/etc/pgbouncer/userlist.txt', 'postgres', `"loyalty" "${password}"\n`);
  machine.start(
    { name: 'haproxy', user: 'root', command: ['haproxy', '-W', '-db', '-f', '/etc/haproxy/haproxy.cfg'] },
    { name: 'pgbouncer', user: 'postgres', command: ['pgbouncer', '/etc/pgbouncer/pgbouncer.ini'] },
  );
}

/** What the Patroni of a server says of all of them. */
async function readMembers(name: string): Promise<Member[]> {
  const response = await fetch(`http://${name}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
  return ((await response.json()) as { members: Member[] }).members;
}

function rolesOf(members: Member[], isSynchronous: boolean) {
  const timeline = members.find(({ role }) => role === 'leader')?.timeline;
  const isWell = ({ role, state, lag, ...member }: Member) =>
    ['running', 'streaming'].includes(state) &&
    member.timeline === timeline &&
    (role === 'leader' || (typeof lag === 'number' && lag < 1 << 20));
  const named = (role: string) =>
    members.filter((member) => member.role === role && isWell(member)).map(({ name }) => name);
  const [leader] = named('leader');
  const [synchronous] = named(isSynchronous ? 'sync_standby' : 'replica');
  const other = named('replica').find((name) => name !== synchronous);
  return leader && synchronous && other && timeline ? { leader, synchronous, other, timeline } : null;
}

function readEtcdLeader(): string {
  const endpoints = serverNames.map((name) => `http://${name}:2379`).join();
  const command = ['endpoint', 'status', `--endpoints=${endpoints}`, '--write-out=fields'];
  const text = execFileSync('etcdctl', command, { encoding: 'utf8', env: { ...process.env, ETCDCTL_API: '3' } });
  const fields = (name: string) => [...text.matchAll(new RegExp(`^"${name}" : "?(.*?)"?$`, 'gm'))].map(([, it]) => it);
  const [ids, leaders, addresses] = [fields('MemberID'), fields('Leader'), fields('Endpoint')];
  const found = ids.findIndex((id, n) => id === leaders[n]);
  if (found < 0) throw new Error(`etcd has no leader: ${text}`);
  return new URL(addresses[found] as string).hostname;
}
