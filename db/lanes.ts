/**
 * Several merchants in one database transaction. Each has a lane; what the lanes send at one moment goes out lane by lane,
 * each behind the setting that names its merchant. PostgreSQL executes messages in their order, so no statement can run as
 * another merchant, and naming one costs no round trip.
 */
import { Queries } from './queries';
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

export function openLanes(merchantIds: string[], shared: Shared): Lanes {
  const lanes = merchantIds.map((merchantId) => ({ merchantId, unsent: [] as (() => void)[] }));
  let isDue = false;
  let isClosed = false;
  let named: string | null = null;

  function flush(): void {
    isDue = false;
    for (const { merchantId, unsent } of lanes) {
      if (unsent.length === 0) continue;
      if (named !== merchantId) shared.name(merchantId);
      named = merchantId;
      for (const send of unsent.splice(0)) send();
    }
  }

  function push({ unsent }: (typeof lanes)[number], send: () => void): void {
    if (isClosed) throw new Error('the database transaction has ended');
    unsent.push(send);
    if (isDue) return;
    isDue = true;
    // Once all that can go on has gone on: lanes then change as seldom as can be.
    process.nextTick(() => {
      if (!isClosed) flush();
    });
  }

  const txOf = (lane: (typeof lanes)[number]): Tx => ({
    merchantId: lane.merchantId,
    db: new Queries(
      (statement) =>
        new Promise((resolve, reject) => {
          push(lane, () => void shared.db.send(statement).then(resolve, reject));
        }),
    ),
    send: (...statements: (Sendable | null)[]) => push(lane, () => shared.send(...statements)),
  });

  return {
    txs: lanes.map(txOf),
    flush,
    close: () => {
      isClosed = true;
    },
  };
}
