/** Changes sent to the phones at a table while their page is open. */

import type { Topic } from '@/server/domain/kernel/changes';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { say } from '@/server/domain/kernel/say';
import { withMerchantClock } from '@/server/domain/merchants';
import { countMiss, type FoundCode, findCode, openUntil, readWaiting, type Visit } from '@/server/domain/qr-ordering';
import { networkOf } from '../domain/kernel/networks';
import { followChanges } from './changes';

/** The part of the table's page to read again: `payments` is its bill. After `bill` the code takes no orders. */
type TableTopic = 'menu' | 'orders' | 'payments' | 'bill';

const tableTopics: Partial<Record<Topic, TableTopic>> = {
  menu: 'menu',
  stockOuts: 'menu',
  settings: 'menu',
  stores: 'menu',
  orders: 'orders',
  tableBills: 'payments',
};

/**
 * Max pages per code: enough for a large party with several pages each. Without it, one token could use up the
 * process's connections.
 */
export const maxPagesPerCode = 100;
/** Max pages per network: enough for all tables of a restaurant whose guests share its network. */
const maxPagesPerNetwork = 1_000;
const openPages = new Map<string, number>();

/** Counts an opened page. Errors: `too_many_attempts` if this instance has the maximum open. */
function openPage(name: string, maxPages: number): void {
  const count = (openPages.get(name) ?? 0) + 1;
  if (count > maxPages) {
    throw new DomainError('too_many_attempts', say('tooManyPages'), { retryAfterSeconds: 60 });
  }
  openPages.set(name, count);
}

function closePage(name: string): void {
  const count = (openPages.get(name) ?? 0) - 1;
  if (count <= 0) openPages.delete(name);
  else openPages.set(name, count);
}

/**
 * Yields a table's changes, and finally `bill` when the bill is settled or the code expires. For an invalid token,
 * yields `bill` at once. Errors: `too_many_attempts`, also if the code has too many open pages.
 */
export async function* followTable(
  services: Services,
  visit: Visit,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const code = await findCode(services, visit);
  const codeServices = code && withMerchantClock(services, code);
  const until = codeServices && (await openUntil(codeServices, code));
  if (until) {
    const followCode = () =>
      whileOpen(code.qrCodeId, maxPagesPerCode, () => followOpenTable(codeServices, code, until, signal));
    yield* whileOpen(`network ${networkOf(visit.client)}`, maxPagesPerNetwork, followCode);
  } else if (!code) await countMiss(services, visit);
  if (!signal?.aborted) yield 'bill';
}

async function* whileOpen(name: string, maxPages: number, follow: () => AsyncGenerator<TableTopic>) {
  openPage(name, maxPages);
  try {
    yield* follow();
  } finally {
    closePage(name);
  }
}

async function* heardByGuests(topic: Topic): AsyncGenerator<TableTopic> {
  const told = tableTopics[topic];
  if (told) yield told;
}

/**
 * What a phone hears that came by a card, which may be a photo of it: changes of the menu, and that staff accepted or
 * declined orders by the card. It hears nothing of the guests' orders and payments until staff have accepted one.
 */
function whileWaiting(services: Services, code: FoundCode, { waiting: before, isConfirmed }: Waiting) {
  let [isGuest, waiting] = [isConfirmed, before];
  return async function* (topic: Topic): AsyncGenerator<TableTopic> {
    if (isGuest || tableTopics[topic] === 'menu') return yield* heardByGuests(topic);
    if (topic !== 'orders' && topic !== 'qrCodes') return;
    const now = await readWaiting(services, code);
    const isDeclined = now.waiting < waiting;
    [isGuest, waiting] = [now.isConfirmed, now.waiting];
    if (isGuest) yield 'payments';
    if (isGuest || isDeclined) yield 'orders';
  };
}
type Waiting = Awaited<ReturnType<typeof readWaiting>>;

async function* followOpenTable(
  services: Services,
  code: FoundCode,
  until: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const ending = new AbortController();
  let expiry: NodeJS.Timeout | undefined;
  const endAt = (at: Date | null) => {
    clearTimeout(expiry);
    if (!at) ending.abort();
    else if (!either.aborted) expiry = setTimeout(refreshExpiry, at.getTime() - services.clock.now().getTime());
  };
  // The code may have been extended before we started to listen. If this look-up fails, `mayFollow` checks later.
  const refreshExpiry = () => void openUntil(services, code).then(endAt, () => {});
  const mayFollow = async () => (await openUntil(services, code)) !== null;
  // `signal` is included because the phone may have left during the look-up.
  const either = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const options = { signal: either, mayFollow, about: code.qrCodeId };
  const hears = code.waits ? whileWaiting(services, code, await readWaiting(services, code)) : heardByGuests;
  endAt(until);
  try {
    for await (const topic of followChanges(services.db, code.merchantId, options)) {
      if (topic === 'qrCodes') {
        const newUntil = await openUntil(services, code);
        if (!newUntil) return;
        endAt(newUntil);
      }
      yield* hears(topic);
    }
  } finally {
    endAt(null);
  }
}
