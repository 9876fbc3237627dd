/** Follows the changes of all merchants on one connection of the process, for the open screens of each. */
import { EventEmitter, on } from 'node:events';
import { z } from 'zod';
import type { Database } from '@/db/client';
import { changesChannel, type Topic, topics } from '@/server/domain/core/changes';

const change = z.object({ merchantId: z.uuid(), topic: z.enum(topics) });
const emitter = new EventEmitter().setMaxListeners(0);
let listening: Promise<unknown> | undefined;

function listen({ sql }: Database): Promise<unknown> {
  listening ??= sql
    .listen(changesChannel, (payload) => {
      const { data } = change.safeParse(JSON.parse(payload));
      if (data) emitter.emit(data.merchantId, data.topic);
    })
    .catch((error) => {
      listening = undefined;
      throw error;
    });
  return listening;
}

/** The topics in which a merchant's data changes, as it happens, until `signal`. */
export async function* followChanges(db: Database, merchantId: string, signal: AbortSignal): AsyncGenerator<Topic> {
  const changes = on(emitter, merchantId, { signal });
  await listen(db);
  for await (const [topic] of changes) yield topic as Topic;
}
