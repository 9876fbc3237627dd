/**
 * An offline queue. A request is in the journal before it is sent, and stays there until its outcome was handled: it survives
 * a lost network, a crash and a power cut, and its `transactionId` keeps it from being executed twice.
 */
import { checkNumbers, checkSale } from './amounts.js';
import type { LoyaltyClient } from './client.js';
import { RefusedError } from './outcome.js';
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

type QueuedPath =
  | '/sales'
  | '/transactions/points/redeem'
  | '/transactions/stored-value/redeem'
  | '/transactions/stored-value/top-up'
  | '/transactions/voucher/redeem'
  | '/transactions/void';

type BodyOf<Path extends QueuedPath> = paths[Path]['post']['requestBody']['content']['application/json'];
type AnswerOf<Path extends QueuedPath> = paths[Path]['post']['responses'][200]['content']['application/json'];

/** A request with the time at the till. Without a PIN: it must not be stored. */
type Queueable<Path extends QueuedPath> = Omit<BodyOf<Path>, 'pin' | 'dryRun'> & { occurredAt: string };

export type QueuedRequest = { [Path in QueuedPath]: { path: Path; body: Queueable<Path> } }[QueuedPath];

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
  /** Status 400 or 402, or 404 for what the request names. Show it to a person: nothing was recorded. */
  | { status: 'refused'; error: ApiErrorBody };

export interface QueueOptions {
  client: LoyaltyClient;
  journal: Journal;
  /**
   * Handles the outcome of a request. The request leaves the journal when this resolves. After a crash in between, it is called
   * again for the same request.
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
  /** The number of requests in the journal. */
  readonly size: number;
  /** Tries again at once: the network is back, say. */
  wake(): void;
  /** Stops sending. What is in the journal stays there for the next `openQueue`. */
  close(): Promise<void>;
}

const firstRestMs = 1_000;
const maxRestMs = 30_000;
/** Something between the till and the service may ask for a day. */
const maxAskedMs = 300_000;
/** The queue retries by itself, and tells of each attempt. */
const fetchOnce = fetchWithRetries(0);

/** Opens a queue, and goes on with what its journal holds. Errors: those of the journal. */
export async function openQueue({ client, journal, onOutcome, onWaiting }: QueueOptions): Promise<Queue> {
  const waiting = (await journal.read()).map(({ name, text }) => ({ name, stored: JSON.parse(text) as Stored }));
  let serial = Number.parseInt(waiting.at(-1)?.name ?? '0', 10);
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

  /** Errors: without an outcome, or where it was not handled. */
  async function settleFirst(): Promise<void> {
    const [first] = waiting;
    if (!first) return;
    const { path, body } = first.stored;
    // The union of paths is too wide for the client's types.
    const sent = await client.POST(path as '/sales', {
      body: body as SubmitSaleRequest,
      signal: closing.signal,
      fetch: fetchOnce,
    });
    const outcome = outcomeOf(sent);
    const changed = outcome.status === 'refused' ? changedSale(first.stored, outcome.error) : null;
    if (changed) {
      // Stored before it is sent, so that a crash does not send the first body again.
      await journal.write({ name: first.name, text: JSON.stringify(changed) });
      first.stored = changed;
      return settleFirst();
    }
    if (outcome.status === 'completed') await renameInVoids(first.stored);
    const { reasons } = first.stored;
    await onOutcome(original(first.stored), outcome.status === 'completed' ? { ...outcome, ...reasons } : outcome);
    await journal.remove(first.name);
    waiting.shift();
  }

  /** Lets the voids that wait behind a sale name the transaction that was recorded for it. */
  async function renameInVoids({ path, body, added }: Stored): Promise<void> {
    if (path !== '/sales' || added?.path !== '/sales') return;
    const [from, to] = [added.body.transactionId, body.transactionId];
    if (from === to) return;
    for (const entry of waiting) {
      const { stored } = entry;
      if (stored.path !== '/transactions/void' || !stored.body.transactionIds.includes(from)) continue;
      const transactionIds = stored.body.transactionIds.map((id) => (id === from ? to : id));
      const renamed: Stored = { path: stored.path, body: { ...stored.body, transactionIds }, added: original(stored) };
      await journal.write({ name: entry.name, text: JSON.stringify(renamed) });
      entry.stored = renamed;
    }
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

/** A request in the journal. */
type Stored = QueuedRequest & {
  /** Why it is sent without its customer, or without the due that the till expected. */
  reasons?: { withoutCustomer?: ApiErrorBody; withoutExpectedDue?: ApiErrorBody };
  /** What was added to the queue, if that is not what is sent. */
  added?: QueuedRequest;
};

const original = ({ reasons: _, added, ...request }: Stored): QueuedRequest => added ?? (request as QueuedRequest);

/**
 * Returns the sale without what alone it is refused for, its customer or the due that the till expected: what was paid is
 * recorded in any case. A limit is the outcome of its id, so the sale gets another one.
 */
function changedSale(stored: Stored, error: ApiErrorBody): Stored | null {
  if (stored.path !== '/sales') return null;
  const change = (body: Queueable<'/sales'>, reason: Stored['reasons']): Stored => {
    return { path: '/sales', body, reasons: { ...stored.reasons, ...reason }, added: original(stored) };
  };
  if (error.code === 'bill_changed' && stored.body.expectedDue !== undefined) {
    const { expectedDue: _, ...body } = stored.body;
    return change(body, { withoutExpectedDue: error });
  }
  const isUnknown =
    error.code === 'customer_not_found' ||
    (error.code === 'invalid_request' &&
      error.issues.length > 0 &&
      error.issues.every(({ path }) => path === 'customer' || path.startsWith('customer.')));
  if (!stored.body.customer || !(isUnknown || error.code === 'limit_exceeded')) return null;
  const { customer: _, ...body } = stored.body;
  const transactionId = isUnknown ? body.transactionId : crypto.randomUUID();
  return change({ ...body, transactionId }, { withoutCustomer: error });
}

interface Sent {
  data?: AnswerOf<QueuedPath>;
  error?: { error: ApiErrorBody };
  response: Response;
}

/** Errors: `RefusedError` if the key or the store is wrong. That can be corrected, and the same request be sent again. */
function outcomeOf({ data, error, response }: Sent): QueuedOutcome {
  if (data) return { status: 'completed', answer: data };
  const refusal = error?.error as ApiErrorBody;
  const isAboutKey = response.status === 401 || response.status === 403 || refusal.code === 'store_not_found';
  if (isAboutKey) throw new RefusedError(response.status, refusal);
  return { status: 'refused', error: refusal };
}
