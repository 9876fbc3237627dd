import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, driverFile, driverServer, postgres } from '../testing/driver';

interface Queue<T> {
  readonly length: number;
  push(x: T): T;
  shift(): T | undefined;
  remove(x: T): T | null;
}

const { server, cleanUps } = driverServer();

function pool(options: { max: number; fetch_types?: boolean; max_pipeline?: number }) {
  const sql = postgres(server().url(), { backoff: () => 0.05, onnotice: () => {}, ...options });
  cleanUps.push(() => sql.end({ timeout: 0 }));
  return sql;
}

const answersOf = (promises: PromiseLike<unknown>[]) => Promise.all(promises.map((promise) => answerOf(promise)));

describe('queries pipelined on a reserved handle', () => {
  test('keep their order and results, the first time and later', async () => {
    const sql = await pool({ max: 1 }).reserve();
    await sql`create temporary table entries (id int primary key)`;
    for (let n = 1; n <= 3; n++) {
      const sent = [
        sql.unsafe('begin'),
        sql`insert into entries values (${n}) returning id`,
        sql`select count(*)::int as count from entries where id <= ${n}`,
        sql`select length(${'x'.repeat(3_000)}::text) as size`,
        sql`commit`,
      ];
      expect(await answersOf(sent)).toEqual([[], [{ id: n }], [{ count: n }], [{ size: 3_000 }], []]);
      expect((await sent[4])?.command).toBe('COMMIT');
    }
  });

  test('fail individually when one cannot be written', async () => {
    const sql = await pool({ max: 1 }).reserve();
    for (let n = 0; n < 2; n++) {
      const unwritable = sql`select ${undefined as unknown as string}::int as n`;
      const sent = [sql.unsafe('begin'), sql`select 1 as n`, unwritable, sql`select 3 as n`, sql`commit`];
      expect(await answersOf(sent)).toEqual([[], [{ n: 1 }], 'UNDEFINED_VALUE', [{ n: 3 }], []]);
      expect(await answerOf(sql`select ${4}::int as n`)).toEqual([{ n: 4 }]);
    }
  });

  test('fail with their own errors after one that the server rejects', async () => {
    const sql = await pool({ max: 1 }).reserve();
    for (let n = 0; n < 3; n++) {
      // A non-numeric value for a numeric parameter fails in the server, before or after its description.
      const refused = sql`select ${'none'}::text::int as n`;
      const sent = [sql.unsafe('begin'), sql`select ${1}::int as n`, refused, sql`select ${3}::int8 as n`, sql`commit`];
      expect(await answersOf(sent)).toEqual([[], [{ n: 1 }], '22P02', '25P02', []]);
      expect((await sent[4])?.command).toBe('ROLLBACK');
      expect(await answersOf([sql`select 5 as n`, sql`select ${6}::int as n`])).toEqual([[{ n: 5 }], [{ n: 6 }]]);
    }
  });

  test('get no rows of one that failed halfway', async () => {
    const sql = await pool({ max: 1 }).reserve();
    const [failed, next] = await answersOf([
      sql`select i, 1 / (4 - i) as x from generate_series(1, 9) i`,
      sql`select x from generate_series(1, 2) x`,
    ]);
    expect(failed).toBe('22012');
    expect(next).toEqual([{ x: 1 }, { x: 2 }]);
  });

  test('are not retried after the end of their transaction', async () => {
    const owner = pool({ max: 1 });
    await owner`create table plans (id int)`;
    const sql = await pool({ max: 1 }).reserve();
    const insert = (id: number) => sql`insert into plans values (${id}) returning *`;
    await insert(1);
    await owner`alter table plans add column name text`;
    const [, inserted, end] = await answersOf([sql.unsafe('begin'), insert(2), sql`commit`]);
    expect({ inserted, end: (end as { command?: string }).command }).toEqual({ inserted: '0A000', end: 'ROLLBACK' });
    expect(await owner`select id from plans`).toEqual([{ id: 1 }]);
    expect(await answerOf(insert(3))).toEqual([{ id: 3, name: null }]);
  });
});

describe('a reserved handle', () => {
  test.each([true, false])(
    'can be taken from a new pool, and does not block its end (fetch_types %s)',
    async (fetch_types) => {
      const sql = pool({ max: 2, fetch_types });
      const handle = await answerOf(sql.reserve());
      if (typeof handle === 'string') throw new Error(handle);
      expect(await answerOf(handle`select 1 as n`)).toEqual([{ n: 1 }]);
      const ended = sql.end();
      handle.release();
      expect(await answerOf(ended)).not.toBe('pending');
    },
  );

  test('serves queries sent before its release, and none after', async () => {
    const sql = pool({ max: 1 });
    const handle = await sql.reserve();
    const sent = [handle`select ${1}::int as n`, handle`select ${2}::int8::int as n`, handle`select 3 as n`];
    const answers = answersOf(sent);
    await Promise.resolve().then(() => {});
    handle.release();
    const after = answerOf(handle`select 4 as n`);
    const next = answerOf(sql`select ${5}::int as n`);
    expect(await answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(await after).toBe('RESERVATION_ENDED');
    expect(await next).toEqual([{ n: 5 }]);
  });

  test('never hands its open transaction to the next user', async () => {
    const sql = pool({ max: 1 });
    const handle = await sql.reserve();
    await Promise.all([handle.unsafe('begin'), handle`select set_config('app.merchant_id', 'mine', true)`]);
    handle.release();
    expect(await answerOf(sql`select current_setting('app.merchant_id', true) as id`)).not.toEqual([{ id: 'mine' }]);
    handle.release();
    const [one, two] = [await sql.reserve(), answerOf(sql.reserve())];
    one.release();
    expect(await two).not.toBe('pending');
  });
});

describe('a pool', () => {
  test('begins a transaction in the last slot of a pipeline', async () => {
    const sql = pool({ max: 1, max_pipeline: 2 });
    await sql`select 1`;
    const sent = [sql`select pg_sleep(0.05)`, sql`select 2 as n`].map((query) => query.execute());
    const begun = sql.begin((tx) => tx`select 3 as n`);
    expect((await answersOf([...sent, begun, sql`select 4 as n`])).slice(1)).toEqual([
      [{ n: 2 }],
      [{ n: 3 }],
      [{ n: 4 }],
    ]);
  });

  test('leaves no transaction open that it rejected', async () => {
    const sql = pool({ max: 2 });
    expect(await answerOf(sql.unsafe('begin'))).toBe('UNSAFE_TRANSACTION');
    const handles = await Promise.all([sql.reserve(), sql.reserve()]);
    for (const handle of handles) expect(await answerOf(handle.unsafe('savepoint outside'))).toBe('25P01');
  });

  test('rejects a query on a transaction that has ended', async () => {
    const sql = pool({ max: 1 });
    const tx = await sql.begin(async (inner) => [inner]);
    expect(await answerOf((tx[0] as unknown as typeof sql)`select 1`)).toBe('RESERVATION_ENDED');
    expect(await answerOf(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  });
});

describe("the driver's queue", () => {
  const create = async (): Promise<Queue<object>> => (await import(driverFile('src/queue.js'))).default();

  /**
   * Counts the slots that `Array.prototype.indexOf` searches while `work` runs: the queue's cost, independent of the
   * machine.
   */
  function countSearched(work: () => void): number {
    const original = Array.prototype.indexOf;
    let searched = 0;
    Array.prototype.indexOf = function (this: unknown[], ...args: [unknown, number?]) {
      const at = original.apply(this, args);
      searched += (at === -1 ? this.length : at + 1) - (args[1] ?? 0);
      return at;
    };
    try {
      work();
    } finally {
      Array.prototype.indexOf = original;
    }
    return searched;
  }

  function turn(queue: Queue<object>, times: number) {
    for (let n = 0; n < times; n++) {
      const connection = queue.shift() as object;
      queue.push(connection);
      queue.remove(connection);
      queue.push(connection);
    }
  }

  test('costs as much on the ten-thousandth use as on the first', async () => {
    const queue = await create();
    for (let n = 0; n < 10; n++) queue.push({});
    const early = countSearched(() => turn(queue, 100));
    turn(queue, 10_000);
    const late = countSearched(() => turn(queue, 100));
    expect({ late, length: queue.length }).toEqual({ late: expect.any(Number), length: 10 });
    expect(late).toBeLessThan(early * 2);
  });

  test('takes no more time late in a process', async () => {
    const queue = await create();
    for (let n = 0; n < 10; n++) queue.push({});
    const cpuMicroseconds = (work: () => void) => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    // The least of several turns: a garbage collection would count as the queue's cost.
    const least = () => Math.min(...Array.from({ length: 5 }, () => cpuMicroseconds(() => turn(queue, 5_000))));
    turn(queue, 1_000);
    const early = least();
    turn(queue, 60_000);
    const late = least();
    expect(late).toBeLessThan(Math.max(early, 2_000) * 5);
  });

  test('behaves like an array', async () => {
    const items = Array.from({ length: 60 }, (_, n) => ({ n }));
    const step = fc.tuple(fc.constantFrom('push', 'push', 'shift', 'remove'), fc.nat(items.length - 1));
    const blank = (await import(driverFile('src/queue.js'))).default;
    const property = fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const queue: Queue<object> = blank();
      const model: object[] = [];
      for (const [verb, n] of steps) {
        const item = items[n] as object;
        if (verb === 'push') model.push(queue.push(item));
        else if (verb === 'shift') expect(queue.shift()).toBe(model.shift());
        else {
          const at = model.indexOf(item);
          expect(queue.remove(item)).toBe(at === -1 ? null : model.splice(at, 1)[0]);
        }
        expect(queue.length).toBe(model.length);
      }
    });
    fc.assert(property, { numRuns: 50 });
  });
});
