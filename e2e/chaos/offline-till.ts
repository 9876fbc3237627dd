/** A till that gives every request to the client's queue, with its journal on disk, and is restarted all the time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openFileJournal } from '@/clients/typescript/src/file-journal';
import {
  createClient,
  openQueue,
  type QueuedOutcome,
  type QueuedRequest,
  type RedeemStoredValueRequest,
} from '@/clients/typescript/src/index';
import { jobMaker, noteOutcome, type Pos, type redeemPath, type Shop, type Told } from './clients';

/** Runs the till, until the shop is done and its journal is empty. */
export async function startOfflineTill(
  shop: Shop,
  { origin, key: apiKey }: Pos,
  name: string,
  random: () => number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-journal-'));
  const journal = await openFileJournal(folder);
  const client = createClient({ origin, apiKey });
  const newJob = jobMaker(shop, name, random);
  /** What it added, by its `transactionId`. */
  const added = new Map<string, Told>();

  function onOutcome({ body }: QueuedRequest, outcome: QueuedOutcome): void {
    const one = 'transactionId' in body && added.get(body.transactionId);
    if (!one) throw new Error(`the queue has what was not added: ${JSON.stringify(body)}`);
    one.status = outcome.status;
    one.answer = JSON.stringify(outcome.status === 'completed' ? outcome.answer : { error: outcome.error });
    shop.tally.settledByQueue += 1;
    noteOutcome(shop, one);
  }

  let size = 0;
  try {
    while (!shop.isDone() || (size > 0 && performance.now() < shop.deadline)) {
      const queue = await openQueue({ client, journal, onOutcome });
      const occurredAt = new Date().toISOString();
      for (let n = random() * 4; n > 0 && !shop.isDone() && queue.size < 8; n--) {
        const { path, body } = newJob();
        const whole = { ...body, occurredAt };
        added.set(body.transactionId, { path, body: whole, status: 'refused', answer: null });
        await queue.add(path as typeof redeemPath, whole as RedeemStoredValueRequest & { occurredAt: string });
      }
      await wait(random() * 2_000);
      await queue.close();
      size = queue.size;
    }
    if (size > 0) shop.complaints.push({ rule: 'an outcome stayed unknown', found: `${size} in the queue of ${name}` });
  } finally {
    await rm(folder, { recursive: true });
  }
}
