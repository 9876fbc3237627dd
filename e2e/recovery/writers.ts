/** Writes to every server all the time, past Patroni and all proxies: at most one may ever accept it. */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import type { Machine } from './machines';

const everyMs = 100;

interface Write {
  server: string;
  id: number;
  /** The history that it became part of: each promotion begins the next. */
  timeline: number;
  sentAt: number;
  acknowledgedAt: number;
}

export interface Writers {
  /** The acknowledged writes. */
  writes: Write[];
  /** What was not accepted: by a standby, or by a leader that no standby follows. */
  refused(): number;
  stop(): Promise<void>;
}

/** Creates a database for it on the leader. Writers connect by the servers' sockets, which no unplugged cable cuts off. */
export async function startWriters(servers: Machine[], leader: Machine, password: string): Promise<Writers> {
  leader.run('postgres', ['createdb', '--owner=loyalty_owner', 'drill']);
  await withSql(leader, password, (sql) => sql`create table writes (id int primary key)`);
  const writes: Write[] = [];
  let [nextId, refused, isDone] = [0, 0, false];
  const attempt = async (sql: postgres.Sql, server: string) => {
    const sentAt = performance.now();
    nextId += 1;
    try {
      const [row] = await sql<[{ id: number; file: string }]>`
        insert into writes values (${nextId}) returning id, pg_walfile_name(pg_current_wal_lsn()) as file`;
      const timeline = Number.parseInt(row.file.slice(0, 8), 16);
      writes.push({ server, id: row.id, timeline, sentAt, acknowledgedAt: performance.now() });
    } catch {
      refused += 1;
    }
  };
  const all = servers.map((machine) =>
    withSql(machine, password, async (sql) => {
      while (!isDone) {
        await attempt(sql, machine.name);
        await wait(everyMs);
      }
    }),
  );
  return {
    writes,
    refused: () => refused,
    stop: async () => {
      isDone = true;
      await Promise.all(all);
    },
  };
}

async function withSql(server: Machine, password: string, work: (sql: postgres.Sql) => Promise<unknown>) {
  const sql = postgres({
    path: `${server.path('/run/postgresql')}/.s.PGSQL.5432`,
    username: 'loyalty_owner',
    password,
    database: 'drill',
    max: 1,
    connect_timeout: 2,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Returns what contradicts one leader at a time, and acknowledged writes that `leader` does not have. */
export async function auditWriters({ writes }: Writers, leader: Machine, password: string): Promise<string[]> {
  const findings: string[] = [];
  const histories = new Map<number, { server: string; first: Write }>();
  for (const write of writes) {
    const history = histories.get(write.timeline);
    if (!history) histories.set(write.timeline, { server: write.server, first: write });
    else if (history.server !== write.server)
      findings.push(`${history.server} and ${write.server} both wrote timeline ${write.timeline}`);
  }
  for (const write of writes) {
    for (const [timeline, { server, first }] of histories) {
      if (timeline > write.timeline && write.sentAt > first.acknowledgedAt)
        findings.push(`${write.server} accepted a write on timeline ${write.timeline} after ${server} led ${timeline}`);
    }
  }
  await withSql(leader, password, async (sql) => {
    const rows = await sql<{ id: number }[]>`select id from writes`;
    const kept = new Set(rows.map(({ id }) => id));
    for (const { id, server } of writes)
      if (!kept.has(id)) findings.push(`${server} lost its acknowledged write ${id}`);
  });
  return findings;
}

/** Who led when: `db1 (timeline 1) → db3 (2)`. */
export function describeHistory({ writes }: Writers): string {
  const leaders = new Map(writes.map(({ timeline, server }) => [timeline, server]));
  const sorted = [...leaders].sort(([a], [b]) => a - b);
  return sorted.map(([timeline, server]) => `${server} (timeline ${timeline})`).join(' → ');
}
