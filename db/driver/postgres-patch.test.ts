/**
 * Tests `patches/postgres+*.patch` when the server dies: see docs/adr/0001-patch-postgres-js.md. POSTGRES_JS_ROOT names
 * another copy of the driver, such as an unpatched release, to run these tests against.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, test } from 'vitest';
import { driverFile, driverServer, eventually, outcomeWithin, postgres } from '../testing/driver';

const { server, cleanUps } = driverServer();
const backoff = (retries: number) => Math.min(0.05 * 2 ** Math.min(retries, 10), 0.5);

beforeEach(async () => {
  if (!isRunning()) await restart();
});

function pool(max: number) {
  const sql = postgres(server().url(), { max, backoff, connect_timeout: 3 });
  cleanUps.push(() => sql.end({ timeout: 0 }));
  return sql;
}

function isRunning(): boolean {
  try {
    return server().pid() > 0;
  } catch {
    return false;
  }
}

const kill = () => process.kill(server().pid(), 'SIGKILL');
/** The first attempts may find shared memory of backends that have not yet noticed that the postmaster is gone. */
const restart = () => eventually(() => server().restart(), 10_000);

/** Expects that the pool hands out all its connections at once, each of them working. */
async function expectWhole(sql: ReturnType<typeof pool>, max: number) {
  const handles = await Promise.all(Array.from({ length: max }, () => sql.reserve()));
  const rows = await Promise.all(handles.map((handle) => handle`select pg_backend_pid() as pid`));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(max);
  for (const handle of handles) handle.release();
}

describe('a server that is killed', () => {
  // Uses the driver in every way at once. Prints a line of figures for each request of the parent, and one more when
  // all has settled.
  const load = `
    const { default: postgres } = await import(process.env.DRIVER);
    const backoff = (retries) => Math.min(0.05 * 2 ** Math.min(retries, 10), 0.5);
    const sql = postgres(process.env.DATABASE_URL, { max: 8, backoff, connect_timeout: 3 });
    const seen = { ok: 0, failed: 0, wrong: 0, slowestMs: 0, codes: {} };
    let isOver = false;
    const { runningClock } = await import(process.env.CLOCK);
    const clock = runningClock();
    const uses = [
      async (n) => (await sql\`select \${n}::int as n\`)[0].n,
      async (n) => (await sql.unsafe('select ' + n + ' as n'))[0].n,
      async (n) => sql.begin(async (tx) => (await Promise.all([tx\`select 1\`, tx\`select \${n}::int as n\`]))[1][0].n),
      async (n) => {
        const tx = await sql.reserve();
        try {
          const sent = [tx.unsafe('begin'), tx\`select \${n}::int as n\`, tx\`select \${'x'.repeat(2000)}::text\`, tx\`commit\`];
          return (await Promise.all(sent))[1][0].n;
        } finally {
          tx.release();
        }
      },
    ];
    const worker = async (id) => {
      for (let n = id; !isOver; n++) {
        const start = clock.elapsed();
        try {
          (await uses[n % uses.length](n)) === n ? seen.ok++ : seen.wrong++;
        } catch (error) {
          seen.failed++;
          seen.codes[error.code ?? error.message] = (seen.codes[error.code ?? error.message] ?? 0) + 1;
        }
        seen.slowestMs = Math.max(seen.slowestMs, clock.elapsed() - start);
      }
    };
    const workers = Promise.all(Array.from({ length: 64 }, (_, id) => worker(id)));
    process.stdin.on('data', async (x) => {
      if (String(x).includes('end')) {
        isOver = true;
        await workers;
        await sql.end();
        process.stdin.unref();
      }
      console.log(JSON.stringify(seen));
    });
  `;

  interface Seen {
    ok: number;
    failed: number;
    wrong: number;
    slowestMs: number;
    codes: Record<string, number>;
  }

  function startLoad(driver: string) {
    const CLOCK = new URL('../testing/running-clock.ts', import.meta.url).href;
    const env = { ...process.env, CLOCK, DRIVER: driver, DATABASE_URL: server().url() };
    const program = ['--import', 'tsx', '--input-type=module', '-e', load];
    const child: ChildProcess = spawn(process.execPath, program, { env });
    const exit = new Promise<string>((done) => child.on('exit', (code, signal) => done(`exit ${code ?? signal}`)));
    let stderr = '';
    child.stderr?.on('data', (x) => (stderr += x));
    child.stdin?.on('error', () => {});
    cleanUps.push(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const ask = async (word: string): Promise<Seen> => {
      const line = new Promise<string>((done) => lines.once('line', done));
      child.stdin?.write(`${word}\n`);
      const answer = await Promise.race([line, exit]);
      if (answer.startsWith('exit')) throw new Error(`the process died (${answer}): ${stderr.slice(0, 400)}`);
      return JSON.parse(answer);
    };
    const until = (check: (seen: Seen) => boolean, ms: number) =>
      eventually(async () => {
        const seen = await ask('report');
        if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
      }, ms);
    return { ask, until, exit };
  }

  test('neither crashes the process nor loses a query', async () => {
    const { ask, until, exit } = startLoad(driverFile('src/index.js'));
    for (let round = 0; round < 2; round++) {
      const before = await ask('report');
      await until((seen) => seen.ok > before.ok + 500, 10_000);
      kill();
      await until((seen) => seen.failed > before.failed + 100, 5_000);
      await restart();
      const { ok } = await ask('report');
      expect(await until((seen) => seen.ok > ok + 200, 3_000)).toBeLessThan(3_000);
    }
    const last = await ask('end');
    expect(last.wrong).toBe(0);
    expect(last.slowestMs).toBeLessThan(3_000);
    expect(
      await outcomeWithin(
        exit.then((code) => Promise.reject(new Error(code))),
        5_000,
      ),
    ).toBe('exit 0');
  });

  test('rejects more queries than connections promptly, then serves again', async () => {
    const sql = pool(4);
    await expectWhole(sql, 4);
    kill();
    await eventually(async () => expect(await outcomeWithin(sql`select 1`)).toBe('ECONNREFUSED'), 5_000);
    const queries = Array.from({ length: 300 }, (_, n) => outcomeWithin(sql`select ${n}::int`));
    const holds = Array.from({ length: 20 }, () => outcomeWithin(sql.reserve()));
    const outcomes = await Promise.all([...queries, ...holds, outcomeWithin(sql.begin((tx) => tx`select 1`))]);
    expect(new Set(outcomes)).toEqual(new Set(['ECONNREFUSED']));
    await restart();
    expect(await eventually(() => expectWhole(sql, 4), 3_000)).toBeLessThan(3_000);
  });
});
