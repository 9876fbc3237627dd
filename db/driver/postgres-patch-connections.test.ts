/**
 * Tests `patches/postgres+*.patch` when one connection dies: see docs/adr/0001-patch-postgres-js.md, and
 * `postgres-patch.test.ts` for POSTGRES_JS_ROOT.
 */
import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { driverFile, driverServer, eventually, outcomeWithin, postgres } from '../testing/driver';

const { server, cleanUps } = driverServer();
const backoff = (retries: number) => Math.min(0.05 * 2 ** Math.min(retries, 10), 0.5);

function pool(options: { max: number; port?: number; fetch_types?: boolean }) {
  const sql = postgres(server().url(), { backoff, connect_timeout: 3, ...options });
  cleanUps.push(() => sql.end({ timeout: 0 }));
  return sql;
}

/** Terminates a backend, through a separate pool. */
async function terminate(pid: number) {
  const admin = pool({ max: 1, fetch_types: false });
  await admin`select pg_terminate_backend(${pid}, 2000)`;
}

/** Expects that the pool hands out all its connections at once, each of them working. */
async function expectWhole(sql: ReturnType<typeof pool>, max: number) {
  const handles = await Promise.all(Array.from({ length: max }, () => sql.reserve()));
  const rows = await Promise.all(handles.map((handle) => handle`select pg_backend_pid() as pid`));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(max);
  for (const handle of handles) handle.release();
}

describe('a connection that dies', () => {
  const pidOf = async (sql: Pick<ReturnType<typeof pool>, 'unsafe'>): Promise<number> =>
    (await sql.unsafe('select pg_backend_pid() as pid'))[0]?.pid;

  test('does not crash the process that still uses it', async () => {
    const script = `
      const { default: postgres } = await import(process.env.DRIVER);
      const [sql, admin] = [1, 1].map((max) => postgres(process.env.DATABASE_URL, { max }));
      const handle = await sql.reserve();
      const [{ pid }] = await handle\`select pg_backend_pid() as pid\`;
      await admin\`select pg_terminate_backend(\${pid}, 2000)\`;
      for (let n = 0; n < 5; n++) console.log(await handle\`select 1\`.catch((error) => error.code));
      await Promise.all([sql.end(), admin.end()]);
    `;
    const env = { ...process.env, DRIVER: driverFile('src/index.js'), DATABASE_URL: server().url() };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(stdout).toMatch(/^((CONNECTION_CLOSED|ECONNRESET)\n){5}$/);
  });

  test('closes its reserved handle for good and rejects the handle’s queued queries', async () => {
    const sql = pool({ max: 1 });
    const handle = await sql.reserve();
    const pid = await pidOf(handle);
    const observer = pool({ max: 1 });
    // A new statement is described first, and the ones after it wait in the handle's own queue.
    const sent = [handle`select pg_sleep(${20}::int)`, handle`select 2`, handle`select ${3}::int`].map((q) =>
      outcomeWithin(q),
    );
    await eventually(async () => {
      const [row] = await observer`select state from pg_stat_activity where pid = ${pid}`;
      expect(row?.state).toBe('active');
    }, 2_000);
    await terminate(pid);
    for (const settled of await Promise.all(sent)) expect(settled).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    expect(await outcomeWithin(handle`select 4`)).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    // The pool's next connection does not revive the handle.
    const next = await pidOf(sql);
    expect(next).not.toBe(pid);
    expect(await outcomeWithin(handle`select 5`)).toBe('CONNECTION_CLOSED');
    handle.release();
    handle.release();
    expect(await pidOf(sql)).toBe(next);
    await expectWhole(sql, 1);
  });

  test('ends its transaction and rejects the transaction’s queued queries', async () => {
    const sql = pool({ max: 1 });
    const inner: Promise<string>[] = [];
    const begun = sql.begin(async (tx) => {
      const pid = await pidOf(tx);
      inner.push(outcomeWithin(tx`select pg_sleep(${20}::int)`), outcomeWithin(tx`select 2`));
      await terminate(pid);
      inner.push(outcomeWithin(tx`select 3`));
      await Promise.all(inner);
    });
    expect(await outcomeWithin(begun)).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    for (const settled of await Promise.all(inner)) expect(settled).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    expect(await outcomeWithin(sql`select 4`)).toBe('ok');
  });

  test.each([true, false])(
    'reconnects and goes to the caller waiting to reserve it (fetch_types %s)',
    async (fetch_types) => {
      const sql = pool({ max: 1, fetch_types });
      const handle = await sql.reserve();
      const pid = await pidOf(handle);
      const waiting = sql.reserve();
      await terminate(pid);
      expect(await outcomeWithin(waiting)).toBe('ok');
      const renewed = await waiting;
      expect(await pidOf(renewed)).not.toBe(pid);
      renewed.release();
      expect(await outcomeWithin(sql`select 1`)).toBe('ok');
    },
  );

  test('does not keep end() waiting', async () => {
    const sql = pool({ max: 1 });
    const pid = await pidOf(sql);
    const query = outcomeWithin(sql`select pg_sleep(20)`);
    const ended = sql.end();
    await terminate(pid);
    expect(await query).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    expect(await outcomeWithin(ended)).toBe('ok');
  });
});

describe('a network that fails', () => {
  /** A proxy in front of the server. `isCut` decides for each chunk from the client whether to drop its connection. */
  async function startProxy(isCut: (chunk: Buffer) => boolean): Promise<number> {
    const sockets = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = connect(server().port, '127.0.0.1');
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy()).pipe(client);
      client.on('data', (chunk) => (isCut(chunk) ? client.resetAndDestroy() : upstream.write(chunk)));
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    cleanUps.push(() => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });
    return (proxy.address() as AddressInfo).port;
  }

  test('rejects a query whose connection is accepted and closed at once', async () => {
    const proxy = createServer((socket) => socket.end());
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    cleanUps.push(() => proxy.close());
    const sql = pool({ max: 1, port: (proxy.address() as AddressInfo).port });
    expect(await outcomeWithin(sql`select 1`)).toBe('CONNECTION_CLOSED');
    expect(await outcomeWithin(sql.reserve())).toBe('CONNECTION_CLOSED');
  });

  test('rejects a query when the connection is lost before it is ready', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    cleanUps.push(() => process.off('unhandledRejection', listener));
    let cuts = 2;
    const sql = pool({ max: 1, port: await startProxy((chunk) => chunk.includes('typarray') && cuts-- > 0) });
    expect(await outcomeWithin(sql`select 1`)).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    expect(await outcomeWithin(sql.reserve())).toMatch(/CONNECTION_CLOSED|ECONNRESET/);
    await eventually(async () => expect(await outcomeWithin(sql`select 1`)).toBe('ok'), 2_000);
    expect(unhandled).toEqual([]);
  });

  test('gives a lost query an error, never the next query’s result', async () => {
    const sql = pool({ max: 1, port: await startProxy((chunk) => chunk.includes('cut here')) });
    const answers = (query: PromiseLike<{ n?: number }[]>, retried: string[] = []) =>
      query.then(
        ([row]) => row?.n,
        (): unknown => (retried.length ? 'lost' : answers(sql`select 4 as n`, ['once'])),
      );
    await sql`select 0`;
    // The immediate retry hits the socket between its error and its close.
    const sent = [sql`select 1 as n`, sql`select 'cut here'`, sql`select 3 as n`].map((query) => answers(query));
    for (const answer of await Promise.all(sent)) expect([4, 'lost']).toContain(answer);
    for (let n = 10; n < 15; n++) expect(await sql`select ${n}::int as n`).toEqual([{ n }]);
  });
});
