/**
 * Several merchants in one database transaction, each with a lane. What the lanes send at one moment goes out together:
 * joinable statements of several lanes as one, the others lane by lane, each behind the setting that names its merchant.
 * PostgreSQL executes messages in their order, so no statement can run as another merchant, and naming one costs no round
 * trip.
 */
import { type Answer, type Joinable, Queries } from '../query/queries';
import type { Sendable, Transaction, Tx } from './transaction';

/** The transaction that all share. */
interface Shared extends Transaction {
  /** Names the merchant of the statements that are sent after it. */
  name(merchantId: string): void;
}

interface Lanes {
  /** In the order of the merchants. */
  txs: Tx[];
  /** Sends what is left at once. */
  flush(): void;
  /** Nothing is sent any more. */
  close(): void;
}

/** A statement, and who waits for its result; null if nobody does. */
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
  /** The merchant whose rows the next statement sees; null if that is not known. */
  let named: string | null = null;

  function flush(): void {
    isDue = false;
    // A lane's own order is kept. What can't be joined goes first, so that the lanes then have the same to send.
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

  /** Sends the first statement of the first lane, with those of all lanes that have the same one to send. */
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
    // Once all that can go on has gone on.
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

/** The number of rows that a joined write has written can't be told apart: one that is awaited goes alone. */
const isJoinable = ({ statement, caller }: Unsent): boolean =>
  statement.merchantId !== undefined && (caller === null || statement.returnsRows === true);

/** A transaction of one merchant. */
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

/** Row-level security does not notice a statement that names another merchant than that of its transaction: this does. */
function checkMerchant({ merchantId }: Joinable, own: string): void {
  if (merchantId !== undefined && merchantId !== own) throw new Error('a statement names another merchant');
}

/** One JSON array of the rows of several. */
const joinRows = (arrays: string[]): string =>
  `[${arrays.flatMap((rows) => (rows === '[]' ? [] : rows.slice(1, -1))).join()}]`;
