import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql, type Row } from '../driver';
import { type EmbeddedServer, startEmbedded } from '../operations/embedded';
import { migrate } from '../operations/migrate';
import { eventually } from './driver';

export interface ReplicatedServer {
  primary: EmbeddedServer;
  replica: EmbeddedServer;
  /** Runs a statement on the replica as its superuser. */
  onReplica(statement: string): Promise<Row[]>;
  /** Resolves once the replica has replayed all that the primary has written. */
  catchUp(): Promise<void>;
  /** Stops the replica from following the primary, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const database = 'loyalty';

/** Starts a PostgreSQL with the migrated database `loyalty` and a streaming replica of it. */
export async function startReplicated(): Promise<ReplicatedServer> {
  const folders = ['primary', 'replica'].map((name) => join(tmpdir(), `loyalty-${name}-${randomUUID()}`));
  const [primaryFolder = '', replicaFolder = ''] = folders;
  const primary = await startEmbedded({ dataDir: primaryFolder, unsafe: true });
  await ask(primary.url(), `create database ${database}`);
  // As in production: a commit is flushed and sent to the replica before the client is told.
  await ask(primary.url(), `alter database ${database} set synchronous_commit = on`);
  await migrate(primary.url(database));
  // The embedded PostgreSQL has no pg_basebackup. A copy of a stopped server's files does the same.
  await primary.stop();
  mkdirSync(replicaFolder);
  execFileSync('cp', ['-a', join(primaryFolder, 'cluster'), replicaFolder]);
  cpSync(join(primaryFolder, 'state.json'), join(replicaFolder, 'state.json'));
  const { hostname, port, username, password } = new URL(primary.url());
  writeFileSync(join(replicaFolder, 'cluster', 'standby.signal'), '');
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(replicaFolder, 'cluster', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await primary.restart();
  const replica = await startEmbedded({ dataDir: replicaFolder, unsafe: true });
  const onReplica = (statement: string) => ask(replica.url(database), statement);
  const holds = (condition: string) =>
    eventually(async () => {
      const [row] = await onReplica(`select ${condition} as ok`);
      if (!row?.ok) throw new Error(`the replica is not there yet: ${condition}`);
    }, 10_000);
  return {
    primary,
    replica,
    onReplica,
    catchUp: async () => {
      const [now] = await ask(primary.url(), 'select pg_current_wal_flush_lsn()::text as lsn');
      await holds(`pg_last_wal_replay_lsn() >= '${now?.lsn}'`);
    },
    pause: async () => {
      await onReplica('select pg_wal_replay_pause()');
      await holds("pg_get_wal_replay_pause_state() = 'paused'");
    },
    resume: async () => {
      await onReplica('select pg_wal_replay_resume()');
    },
    stop: async () => {
      await replica.stop();
      await primary.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, statement: string): Promise<Row[]> {
  const sql = openSql(url, { fetch_types: false });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
