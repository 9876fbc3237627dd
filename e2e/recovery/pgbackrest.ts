/** Back-ups by pgBackRest, with the samples in `deploy/pgbackrest`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { osUser } from '@/db/operations/embedded';
import { type Backups, startRestored } from './backup';
import { installBinary } from './binaries';
import { adoptCluster, type Cluster, type Site } from './cluster';

const samples = join('deploy', 'pgbackrest');

export function pgBackRest(site: Site, cluster: Cluster): Backups {
  if (!existsSync('/usr/bin/pgbackrest')) installBinary('pgbackrest');
  const socket = site.makeFolder('socket');
  const config = join(site.folder, 'pgbackrest.conf');
  const port = new URL(cluster.url()).port;
  // This machine's folders, and a server that asks for its password.
  const own = { 'lock-path': 'lock', 'log-path': 'log', 'spool-path': 'spool' };
  const text = [
    readFileSync(join(samples, 'pgbackrest.conf'), 'utf8')
      .replace('/var/lib/pgbackrest', site.makeFolder('repository'))
      .replace('/var/lib/postgresql/15/main', cluster.data)
      .replace('replace-this-by-a-key-of-your-own', randomBytes(36).toString('base64'))
      .trim(),
    `pg1-port=${port}`,
    `pg1-socket-path=${socket}`,
    'pg1-user=postgres',
    '[global]',
    ...Object.entries(own).map(([option, name]) => `${option}=${site.makeFolder(name)}`),
  ];
  writeFileSync(config, `${text.join('\n')}\n`, { mode: 0o644 });
  const settings = [...readFileSync(join(samples, 'postgresql.conf'), 'utf8').matchAll(/^(\w+) = '?([^'\n]+)'?$/gm)];
  cluster.configure({
    unix_socket_directories: socket,
    ...Object.fromEntries(
      settings.map(([, name, value]) => [name, value?.replace('pgbackrest ', `pgbackrest --config=${config} `)]),
    ),
  });

  const call = async (line: string, ...more: string[]) => {
    const env = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, PGPASSWORD: site.password };
    await promisify(execFile)('pgbackrest', [`--config=${config}`, ...more, ...line.split(' ')], { ...osUser(), env });
  };
  const [, nightly = ''] =
    /^30 2 \* \* 0 +postgres +pgbackrest (.+)$/m.exec(readFileSync(join(samples, 'cron'), 'utf8')) ?? [];
  return {
    async start() {
      await cluster.start();
      await call('--stanza=loyalty stanza-create');
      await call('--stanza=loyalty check');
    },
    // It checks pages while it copies them, and that the WAL has arrived.
    take: () => call(nightly),
    async restore(moment) {
      const restored = await adoptCluster(site, `${cluster.name}-restored`);
      const target = ['--type=time', `--target=${moment}`, '--target-action=promote', `--pg1-path=${restored.data}`];
      await call('--stanza=loyalty restore', ...target);
      restored.configure({ archive_mode: 'off' });
      return startRestored(restored);
    },
  };
}
