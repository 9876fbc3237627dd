/** What the phones at a table are told while their page is open. */
import { networkOf } from '@/server/client-address';
import type { Topic } from '@/server/domain/core/changes';
import type { Services } from '@/server/domain/core/context';
import { DomainError } from '@/server/domain/core/errors';
import { say } from '@/server/domain/core/say';
import { inTimeOf } from '@/server/domain/merchants/merchant';
import { type CodeName, countMiss, findCode, openUntil, type Visit } from '@/server/domain/qr-ordering/find-code';
import { followChanges } from './changes';

/** Which part of the table's page is to be read again; after `bill` the code takes no orders. */
type TableTopic = 'menu' | 'orders' | 'bill';

const toldAs: Partial<Record<Topic, TableTopic>> = {
  menu: 'menu',
  stockOuts: 'menu',
  settings: 'menu',
  stores: 'menu',
  orders: 'orders',
};

/** A large party with several pages each. Otherwise one token could use up every connection the process can hold. */
export const mostPages = 100;
/** All tables of a restaurant whose guests share its network. */
const mostPagesOfNetwork = 1_000;
const openPages = new Map<string, number>();

/** A page more. Errors: `too_many_attempts` where there are as many as may be, on this instance. */
function openPage(name: string, most: number): void {
  const count = (openPages.get(name) ?? 0) + 1;
  if (count > most) {
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
 * The changes of a table as they happen; at last `bill`, when it is settled or its code's time is over, and at once for a
 * token that opens nothing. Errors: `too_many_attempts`, also where the code has too many pages open.
 */
export async function* followTable(
  services: Services,
  visit: Visit,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const code = await findCode(services, visit);
  const own = code && inTimeOf(services, code);
  const until = own && (await openUntil(own, code));
  if (until) {
    const ofCode = () => whileOpen(code.qrCodeId, mostPages, () => followOpenTable(own, code, until, signal));
    yield* whileOpen(`network ${networkOf(visit.client)}`, mostPagesOfNetwork, ofCode);
  } else if (!code) await countMiss(services, visit);
  if (!signal?.aborted) yield 'bill';
}

async function* whileOpen(name: string, most: number, follow: () => AsyncGenerator<TableTopic>) {
  openPage(name, most);
  try {
    yield* follow();
  } finally {
    closePage(name);
  }
}

async function* followOpenTable(
  services: Services,
  code: CodeName,
  until: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const ending = new AbortController();
  let expiry: NodeJS.Timeout | undefined;
  const endAt = (at: Date | null) => {
    clearTimeout(expiry);
    if (!at) ending.abort();
    else if (!either.aborted) expiry = setTimeout(askAgain, at.getTime() - services.clock.now().getTime());
  };
  // It may have been made to last longer before we listened. Where this fails, `mayFollow` asks.
  const askAgain = () => void openUntil(services, code).then(endAt, () => {});
  const mayFollow = async () => (await openUntil(services, code)) !== null;
  // For both, because a phone may have gone while its code was looked up.
  const either = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const options = { signal: either, mayFollow, about: code.qrCodeId };
  endAt(until);
  try {
    for await (const topic of followChanges(services.db, code.merchantId, options)) {
      if (topic === 'qrCodes') {
        const newUntil = await openUntil(services, code);
        if (!newUntil) return;
        endAt(newUntil);
      }
      const told = toldAs[topic];
      if (told) yield told;
    }
  } finally {
    endAt(null);
  }
}
