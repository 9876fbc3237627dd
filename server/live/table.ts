/** What the phones at a table are told while their page is open. */
import type { Topic } from '@/server/domain/core/changes';
import type { Services } from '@/server/domain/core/context';
import { inTimeOf } from '@/server/domain/merchants/merchant-time';
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

/**
 * The changes of a table as they happen; at last `bill`, when it is settled or its code's time is over, and at once for a
 * token that opens nothing. Errors: `too_many_attempts`.
 */
export async function* followTable(
  services: Services,
  visit: Visit,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const code = await findCode(services, visit);
  const own = code && inTimeOf(services, code);
  const until = own && (await openUntil(own, code));
  if (until) yield* followOpenTable(own, code, until, signal);
  else await countMiss(services, visit);
  if (!signal?.aborted) yield 'bill';
}

async function* followOpenTable(
  services: Services,
  code: CodeName,
  until: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableTopic> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const expiry = setTimeout(end, until.getTime() - services.clock.now().getTime());
  signal?.addEventListener('abort', end);
  const mayFollow = async () => (await openUntil(services, code)) !== null;
  const options = { signal: ending.signal, mayFollow, about: code.qrCodeId };
  try {
    for await (const topic of followChanges(services.db, code.merchantId, options)) {
      if (topic === 'qrCodes' && !(await mayFollow())) return;
      const told = toldAs[topic];
      if (told) yield told;
    }
  } finally {
    clearTimeout(expiry);
    signal?.removeEventListener('abort', end);
  }
}
