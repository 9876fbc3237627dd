/** Back-ups, and how to get a database back from them. docs/operations.md says the same. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptCluster, type Cluster, queryCluster, type Site, waitUntilHolds } from './cluster';

/** A way to keep back-ups of one server. Its WAL is archived from the start on. */
export interface Backups {
  start(): Promise<void>;
  /** Copies the running server, and checks the copy. */
  take(): Promise<void>;
  /** A new server as the old one was at `moment`. */
  restore(moment: string): Promise<Cluster>;
}

/** With PostgreSQL's own tools. */
export function baseBackups(site: Site, cluster: Cluster): Backups {
  const archive = site.makeFolder('archive');
  const backup = join(site.folder, 'backup');
  cluster.configure({
    archive_mode: 'on',
    // Under its name only once it is whole.
    archive_command: `cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
    archive_timeout: '60',
  });
  return {
    start: () => cluster.start(),
    async take() {
      await site.tool('pg_basebackup', ['-d', cluster.url('postgres'), '-D', backup, '-c', 'fast']);
      await site.tool('pg_verifybackup', [backup]);
    },
    async restore(moment) {
      const restored = await adoptCluster(site, `${cluster.name}-restored`);
      execFileSync('cp', ['-a', backup, restored.data]);
      restored.configure({
        archive_mode: 'off',
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      });
      writeFileSync(join(restored.data, 'recovery.signal'), '');
      return startRestored(restored);
    },
  };
}

export async function startRestored(restored: Cluster): Promise<Cluster> {
  await restored.start();
  await waitUntilHolds(restored, 'not pg_is_in_recovery()', 60_000);
  return restored;
}

/** Resolves when all that was done is in the archive. */
export async function archiveAll(cluster: Cluster): Promise<void> {
  const [row] = await queryCluster(cluster, 'select pg_walfile_name(pg_switch_wal()) as last');
  await waitUntilHolds(
    cluster,
    `exists (select from pg_stat_archiver where last_archived_wal >= '${row?.last}')`,
    30_000,
  );
}
