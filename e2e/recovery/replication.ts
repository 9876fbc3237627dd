/** A standby: made, waited for, promoted; and made of a primary that was lost. docs/operations.md says the same. */
import { adoptCluster, type Cluster, createCluster, queryCluster, type Site, waitUntilHolds } from './cluster';

export async function createPrimary(site: Site, name: string): Promise<Cluster> {
  const primary = await createCluster(site, name);
  // Enough for a standby, or for a primary that was lost, to find what it has missed.
  primary.configure({ wal_keep_size: '512MB' });
  await primary.start();
  return primary;
}

export async function createStandby(site: Site, name: string, primary: Cluster): Promise<Cluster> {
  const standby = await adoptCluster(site, name);
  await site.tool('pg_basebackup', ['-d', primary.url('postgres'), '-D', standby.data, '-R', '-c', 'fast']);
  standby.configure({});
  await standby.start();
  await waitUntilHolds(primary, `exists (select from pg_stat_replication where application_name = '${name}')`, 20_000);
  return standby;
}

/** From now on the primary acknowledges nothing that this standby has not written to its disk. */
export async function waitFor(standby: Cluster, primary: Cluster): Promise<void> {
  await queryCluster(primary, `alter system set synchronous_standby_names = '${standby.name}'`);
  await queryCluster(primary, 'select pg_reload_conf()');
  // It may be known and lag behind for ever, on a history of its own.
  const [now] = await queryCluster(primary, 'select pg_current_wal_lsn() as lsn');
  const hasAll = `application_name = '${standby.name}' and sync_state = 'sync' and flush_lsn >= '${now?.lsn}'`;
  await waitUntilHolds(primary, `exists (select from pg_stat_replication where ${hasAll})`, 20_000);
}

/** The standby hears no more of its primary. */
export async function cutOff(standby: Cluster): Promise<void> {
  await queryCluster(standby, `alter system set primary_conninfo = ''`);
  await queryCluster(standby, 'select pg_reload_conf()');
  await waitUntilHolds(standby, 'not exists (select from pg_stat_wal_receiver)', 20_000);
}

export async function promoteStandby(site: Site, { data }: Cluster): Promise<void> {
  await site.tool('pg_ctl', ['promote', '-D', data, '-w', '-t', '30']);
}

/** A primary that was lost comes back as the standby of the new one: what it alone had written is undone. */
export async function rejoinPrimary(site: Site, lost: Cluster, primary: Cluster): Promise<void> {
  // Until its first checkpoint, the new primary's files do not say that it has a history of its own.
  await queryCluster(primary, 'checkpoint');
  const source = primary.url('postgres');
  await site.tool('pg_rewind', [`--target-pgdata=${lost.data}`, `--source-server=${source}`, '-R']);
  // The configuration came along from the primary.
  lost.configure({});
  await lost.start();
  await waitUntilHolds(
    primary,
    `exists (select from pg_stat_replication where application_name = '${lost.name}')`,
    20_000,
  );
}
