/**
 * Several merchants in one database transaction, each with a lane. Statements that lanes send at the same moment leave
 * together. Joinable statements of several lanes leave as one. The others leave lane by lane, each behind the setting
 * that names its merchant. PostgreSQL executes messages in their order, so no statement runs as another merchant, and
 * naming one costs no round trip.
 */
import { type Answer, type Joinable, Queries } from '../query/queries';
import type { Sendable, Transaction, Tx } from './transaction';

/** The transaction that all lanes share. */
interface Shared extends Transaction {
  /** Names the merchant for the statements that are sent after it. */
  name(merchantId: string): void;
}

interface Lanes {
  /** In the order of the merchants. */
  txs: Tx[];
  /** Sends all unsent statements now. */
  flush(): void;
  /** Refuses further statements. */
  close(): void;
}

/** A statement, and the caller who waits for its result; null if no caller does. */
interface Unsent {
  statement: Joinable;
  caller: { resolve(answer: Answer): void; reject(error: unknown): void } | null;
}

interface Lane {
  merchantId: string;
  unsent: Unsent[];
}

export function openLanes(merchantIds: string[], shared: Shared): Lanes {
  const lanes: Lane[] = merchantIds.map((merchantId) => ({ merchantId, unsent: [] }));
  let isDue = false;
  let isClosed = false;
  /** The merchant that the next statement runs as; null if unknown. */
  let named: string | null = null;

  function flush(): void {
    isDue = false;
    // Each lane keeps its order. Statements that can't be joined leave first, so that the lanes then have the same one
    // to send.
    for (let left = lanes; left.length > 0; left = left.filter(({ unsent }) => unsent.length > 0)) {
      for (const lane of left) sendAlone(lane);
      sendJoined(left);
    }
  }

  function sendAlone({ merchantId, unsent }: Lane): void {
    for (let first = unsent[0]; first && !isJoinable(first); first = unsent[0]) {
      if (named !== merchantId) shared.name(merchantId);
      named = merchantId;
      unsent.shift();
      const { statement, caller } = first;
      if (caller) shared.db.send(statement).then(caller.resolve, caller.reject);
      else shared.send({ toSQL: () => statement });
    }
  }

  /** Sends the first unsent statement, joined with the same statement of other lanes that have it next. */
  function sendJoined(left: Lane[]): void {
    const text = left.find(({ unsent }) => unsent.length > 0)?.unsent[0]?.statement.sql;
    if (text === undefined) return;
    const same = left.filter(({ unsent }) => unsent[0]?.statement.sql === text);
    const sent = same.map(({ merchantId, unsent }) => ({ merchantId, ...(unsent.shift() as Unsent) }));
    const statement = { sql: text, params: [joinRows(sent.map((one) => one.statement.params[0] as string))] };
    named = null;
    if (sent.every(({ caller }) => caller === null)) {
      shared.send({ toSQL: () => statement });
      return;
    }
    shared.db.send(statement).then(
      (answer) => {
        const rows = [...answer];
        const isOwn = rows.every((row) => row.at(-1) === true);
        for (const { merchantId, caller } of sent) {
          if (!isOwn) caller?.reject(new Error('a statement was run as another merchant'));
          const own = rows.filter((row) => row.at(-2) === merchantId);
          caller?.resolve(Object.assign(own, { count: own.length }));
        }
      },
      (error) => {
        for (const { caller } of sent) caller?.reject(error);
      },
    );
  }

  function push({ merchantId, unsent }: Lane, statement: Joinable, caller: Unsent['caller']): void {
    if (isClosed) throw new Error('the database transaction has ended');
    checkMerchant(statement, merchantId);
    unsent.push({ statement, caller });
    if (isDue) return;
    isDue = true;
    // By then, all code that could run on has pushed its statements.
    process.nextTick(() => {
      if (!isClosed) flush();
    });
  }

  const txOf = (lane: Lane): Tx => ({
    merchantId: lane.merchantId,
    db: new Queries((statement) => new Promise((resolve, reject) => push(lane, statement, { resolve, reject }))),
    send: (...statements: (Sendable | null)[]) => {
      for (const statement of statements) if (statement) push(lane, statement.toSQL(), null);
    },
  });

  return {
    txs: lanes.map(txOf),
    flush,
    close: () => {
      isClosed = true;
    },
  };
}

/** The count of a joined write does not say how many rows each lane wrote. So an awaited write goes alone. */
const isJoinable = ({ statement, caller }: Unsent): boolean =>
  statement.merchantId !== undefined && (caller === null || statement.returnsRows === true);

/** A transaction that belongs to one merchant. */
export function ofMerchant(merchantId: string, shared: Transaction): Tx {
  const check = (statement: Joinable) => checkMerchant(statement, merchantId);
  return {
    merchantId,
    db: new Queries((statement) => {
      check(statement);
      return shared.db.send(statement);
    }),
    send: (...statements) => {
      for (const statement of statements) if (statement) check(statement.toSQL());
      shared.send(...statements);
    },
  };
}

/** Refuses a statement that names another merchant than its transaction's: row-level security does not notice that. */
function checkMerchant({ merchantId }: Joinable, own: string): void {
  if (merchantId !== undefined && merchantId !== own) throw new Error('a statement names another merchant');
}

/** Joins JSON arrays of rows into one. */
const joinRows = (arrays: string[]): string =>
  `[${arrays.flatMap((rows) => (rows === '[]' ? [] : rows.slice(1, -1))).join()}]`;
