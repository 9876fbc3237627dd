/**
 * An offline queue. A request is in the journal before it is sent, and stays there until its outcome was handled: it survives
 * a lost network, a crash and a power cut, and its `transactionId` keeps it from being executed twice.
 */
import { checkNumbers, checkSale } from './amounts.js';
import { changedSale, decided, original, renamedVoid, withNewId } from './changes.js';
import type { LoyaltyClient } from './client.js';
import { RefusedError } from './outcome.js';
import type { Decision, HeldRequest, Queueable, QueuedPath, QueuedRequest, Stored } from './queued.js';
import { stepOf } from './responses.js';
import { fetchWithRetries, pause, UnknownOutcomeError } from './retry.js';
import type { ApiErrorBody, paths, SubmitSaleRequest } from './schema.js';

/** Where the queue keeps its requests: files in Node (`loyalty-ordering-client/file-journal`), or a store of yours. */
export interface Journal {
  /** Every entry, in the order of names. */
  read(): Promise<JournalEntry[]>;
  /** Resolves when the entry is stored for good. */
  write(entry: JournalEntry): Promise<void>;
  /** Removes an entry. One that is gone already is no error. */
  remove(name: string): Promise<void>;
}

export interface JournalEntry {
  name: string;
  text: string;
}

type AnswerOf<Path extends QueuedPath> = paths[Path]['post']['responses'][200]['content']['application/json'];

export type QueuedOutcome =
  /**
   * `withoutCustomer`: the service knows nobody by the sale's customer, or the sale is over a limit for customers. It was recorded
   * without the customer. Show the reason to a person. After a limit, `answer` has another `transactionId`: void that one. Voids
   * of the first that already wait in the queue are sent with it.
   * `withoutExpectedDue`: another sum was due on the sale's bill than the till expected. It was recorded all the same. Show the
   * figures in `details` to a person.
   */
  | {
      status: 'completed';
      answer: AnswerOf<QueuedPath>;
      withoutCustomer?: ApiErrorBody;
      withoutExpectedDue?: ApiErrorBody;
    }
  /** Status 400 or 402, or 404 for what the request names. Nothing was recorded: it is set aside until a person decides. */
  | { status: 'refused'; error: ApiErrorBody };

export interface QueueOptions {
  client: LoyaltyClient;
  journal: Journal;
  /**
   * Handles the outcome of a request. When this resolves, the request leaves the journal, or is set aside if it was refused. After
   * a crash in between, it is called again for the same request.
   */
  onOutcome(request: QueuedRequest, outcome: QueuedOutcome): void | Promise<void>;
  /**
   * Called after each attempt that failed: at once without a network, after 5 seconds without a response. The reason is
   * `UnknownOutcomeError`, `RefusedError` for a key or a store that the service refuses, or an error of `onOutcome`. The queue
   * keeps trying.
   */
  onWaiting?(reason: Error): void;
}

export interface Queue {
  /**
   * Adds a request; the queue sends them one by one, in order. Resolves when it is in the journal. Send exactly the same body
   * that you may have sent before.
   * Errors: `AmountError`; `TypeError` for a body with a PIN or without `occurredAt`; those of the journal.
   */
  add<Path extends QueuedPath>(path: Path, body: Queueable<Path>): Promise<void>;
  /** The number of requests that are to be sent. */
  readonly size: number;
  /** The requests that were refused and that nobody has decided about, oldest first. They are in the journal. */
  held(): HeldRequest[];
  /**
   * Sends a held request again, without its customer or `expectedDue` if the person says so (sales only), or removes it. Nothing is done for a
   * request that is not held. Errors: `TypeError`; those of the journal.
   */
  resolve(name: string, decision: Decision): Promise<void>;
  /** Tries again at once: the network is back, say. */
  wake(): void;
  /** Stops sending. What is in the journal stays there for the next `openQueue`. */
  close(): Promise<void>;
}

const firstRestMs = 1_000;
const maxRestMs = 30_000;
/** Something between the till and the service may ask for a day. */
const maxAskedMs = 300_000;

/** Opens a queue, and goes on with what its journal holds. Errors: those of the journal. */
export async function openQueue({ client, journal, onOutcome, onWaiting }: QueueOptions): Promise<Queue> {
  // The queue retries by itself, and tells of each attempt.
  const fetchOnce = fetchWithRetries(0);
  const kept = (await journal.read()).map(({ name, text }) => ({ name, stored: JSON.parse(text) as Stored }));
  const waiting = kept.filter(({ stored }) => !stored.held);
  const aside = new Map(kept.filter(({ stored }) => stored.held).map((entry) => [entry.name, entry]));
  let serial = Number.parseInt(kept.at(-1)?.name ?? '0', 10);
  let lastWrite: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  let rest = new AbortController();

  async function add<Path extends QueuedPath>(path: Path, body: Queueable<Path>): Promise<void> {
    closing.signal.throwIfAborted();
    check(path, body);
    serial += 1;
    // A random part, should two processes share a journal.
    const name = `${String(serial).padStart(12, '0')}-${crypto.randomUUID()}`;
    const request = { path, body } as QueuedRequest;
    const text = JSON.stringify(request);
    // One after another, so that a later request is never stored without an earlier one.
    const written = lastWrite.then(() => journal.write({ name, text }));
    lastWrite = written.catch(() => {});
    await written;
    waiting.push({ name, stored: JSON.parse(text) });
    if (waiting.length === 1) wake();
  }

  async function rewrite(entry: Entry, stored: Stored): Promise<void> {
    await journal.write({ name: entry.name, text: JSON.stringify(stored) });
    entry.stored = stored;
  }

  /** Errors: without an outcome, or where it was not handled. */
  async function settleFirst(): Promise<void> {
    const [first] = waiting;
    if (!first) return;
    if (first.stored.isRepeated) await giveNewId(first);
    const { path, body, reasons } = first.stored;
    // The union of paths is too wide for the client's types.
    const sent: Sent = await client.POST(path as '/sales', {
      body: body as SubmitSaleRequest,
      signal: closing.signal,
      fetch: fetchOnce,
    });
    const outcome = outcomeOf(sent);
    if (outcome.status === 'completed') {
      await renameInVoids(first.stored);
      await onOutcome(original(first.stored), { ...outcome, ...reasons });
      await journal.remove(first.name);
    } else {
      const { error } = outcome;
      const step = stepOf({ status: sent.response.status, request: first.stored, error });
      if (step === 'stop') throw new RefusedError(sent.response.status, error);
      const changed = changedSale(first.stored, step, error);
      if (changed) {
        // Stored before it is sent, so that a crash does not send the first body again.
        await rewrite(first, changed);
        return settleFirst();
      }
      await onOutcome(original(first.stored), outcome);
      await rewrite(first, { ...first.stored, held: error });
      aside.set(first.name, first);
    }
    waiting.splice(waiting.indexOf(first), 1);
  }

  /** A request that a person sends again needs a new id if its refusal is recorded: the same would be refused for ever. */
  async function giveNewId(entry: Entry): Promise<void> {
    const { isRepeated: _, ...request } = entry.stored;
    const isKnown = request.path !== '/transactions/void' && (await isRefusalRecorded(request.body));
    await rewrite(entry, isKnown ? withNewId(request as Stored) : (request as Stored));
  }

  async function isRefusalRecorded({ transactionId, storeCode }: { transactionId: string; storeCode?: string }) {
    const { data, error, response } = await client.GET('/transactions/{transactionId}', {
      params: { path: { transactionId }, query: { storeCode } },
      signal: closing.signal,
      fetch: fetchOnce,
    });
    if (error && error.error.code !== 'transaction_not_found') throw new RefusedError(response.status, error.error);
    return data?.status === 'refused';
  }

  /** Lets the voids that wait behind a sale name the transaction that was recorded for it. */
  async function renameInVoids({ path, body, added }: Stored): Promise<void> {
    if (path === '/transactions/void' || !added || added.path === '/transactions/void') return;
    const [from, to] = [added.body.transactionId, body.transactionId];
    if (from === to) return;
    for (const entry of waiting) {
      const renamed = renamedVoid(entry.stored, from, to);
      if (renamed) await rewrite(entry, renamed);
    }
  }

  async function resolve(name: string, decision: Decision): Promise<void> {
    closing.signal.throwIfAborted();
    const entry = aside.get(name);
    if (!entry) return;
    if (decision === 'drop') await journal.remove(name);
    else await rewrite(entry, decided(entry.stored, decision));
    aside.delete(name);
    if (decision === 'drop') return;
    waiting.push(entry);
    wake();
  }

  async function work(): Promise<void> {
    let failures = 0;
    let retryAfterMs = 0;
    while (!closing.signal.aborted) {
      rest = new AbortController();
      const restMs = Math.max(retryAfterMs, Math.min(firstRestMs * 2 ** failures, maxRestMs));
      if (waiting.length === 0) await pause(2 ** 31 - 1, rest.signal).catch(() => {});
      else if (failures > 0) await pause(restMs, rest.signal).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        await settleFirst();
        failures = 0;
      } catch (error) {
        failures += 1;
        retryAfterMs = error instanceof UnknownOutcomeError ? Math.min(error.retryAfterMs, maxAskedMs) : 0;
        if (!closing.signal.aborted) onWaiting?.(error as Error);
      }
    }
  }

  const wake = () => rest.abort();
  const working = work();
  return {
    add,
    wake,
    resolve,
    held: () =>
      [...aside.values()].map(({ name, stored }) => {
        return { name, request: original(stored), error: stored.held as ApiErrorBody };
      }),
    get size() {
      return waiting.length;
    },
    close: async () => {
      closing.abort();
      wake();
      await Promise.all([working, lastWrite]);
    },
  };
}

/** Errors: what makes a request unfit to be stored or sent later. */
function check(path: QueuedPath, body: { pin?: unknown; occurredAt?: unknown }): void {
  if (body.pin !== undefined) throw new TypeError('A request with a PIN cannot be queued: the PIN must not be stored.');
  // JSON leaves out what is undefined: the request would then count as of its arrival.
  if (body.occurredAt === undefined) throw new TypeError('A queued request needs occurredAt, the time at the till.');
  if (path === '/sales') checkSale(body as SubmitSaleRequest);
  else checkNumbers(body);
}

interface Entry {
  name: string;
  stored: Stored;
}

interface Sent {
  data?: AnswerOf<QueuedPath>;
  error?: { error: ApiErrorBody };
  response: Response;
}

const outcomeOf = ({ data, error }: Sent): QueuedOutcome =>
  data ? { status: 'completed', answer: data } : { status: 'refused', error: error?.error as ApiErrorBody };
