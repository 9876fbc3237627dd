import { keyScopes, tillScopes } from '@/db/kinds/lists';
import type { TestDatabase } from '@/db/testing/database';
import { createLogger } from '@/server/observe/log';
import { endpoints } from '@/server/rest/endpoints';
import { createRestHandler } from '@/server/rest/handler';
import { createRequestLog } from '@/server/rest/request-log';
import { posRouter } from '@/server/trpc/pos/router';
import { listProcedures } from '@/server/trpc/procedures';
import { countAttempt } from '../attempts';
import { createKey, createMerchant, testServices } from '../factory';
import { idsOf, tableOf } from './answers';

const refusals = ['invalid_api_key', 'network_not_allowed'];

/** Lists which keys may call each operation of the REST API. */
export async function posTable({ owner, db }: TestDatabase): Promise<string> {
  const services = testServices(db);
  const log = createLogger('silent');
  const handle = createRestHandler({ services, log, requests: createRequestLog(services, log) });
  const { id, stores } = await createMerchant(owner);
  const [store] = stores;
  const newKey = (settings: NonNullable<Parameters<typeof createKey>[3]>) =>
    createKey(owner, id, settings.scopes?.includes('webhooks') ? null : store.id, settings);
  const allowed = await Promise.all(
    [[], ...keyScopes.map((scope) => [scope]), [...tillScopes]].map((scopes) => newKey({ scopes })),
  );
  const refused = {
    'no key': undefined,
    'a revoked key': await newKey({ revoked_at: new Date() }),
    'a key of another network': await newKey({ networks: ['203.0.113.0/24'] }),
    'a key of production': await newKey({ environment: 'live' }),
  };
  const inputs = new Map(listProcedures(posRouter).map(({ inputs, meta }) => [meta, inputs]));
  const rows = await Promise.all(
    endpoints.map(async ({ operation, method, segments, meta }) => {
      // Nonsense: an operation that the key may call refuses it, and changes nothing.
      const ask = async (apiKey: string | undefined) => {
        const url = segments.map((segment) => (segment.startsWith('{') ? 'nonsense' : segment)).join('/');
        const body = async () => Buffer.from('nonsense');
        const { status, body: text } = await handle({
          method,
          url,
          apiKey,
          client: '127.0.0.1',
          contentType: 'application/json',
          body,
        });
        countAttempt(status !== 200);
        return status === 200 ? 'yes' : String(JSON.parse(text).error.code);
      };
      for (const [name, key] of Object.entries(refused)) {
        const answer = await ask(key);
        if (!refusals.includes(answer)) throw new Error(`${operation} answers ${name} with ${answer}`);
      }
      const cells: string[] = [];
      for (const key of allowed) cells.push((await ask(key)) === 'scope_missing' ? '–' : 'yes');
      const place = meta.errors?.includes('store_forbidden') ? 'own' : '';
      return [operation, method, ...cells, place, meta.isSandboxOnly ? 'no' : 'yes', idsOf(inputs.get(meta) ?? [])];
    }),
  );
  const columns = ['Operation', '', 'No scope', ...keyScopes.map((scope) => `\`${scope}\``), 'A till’s three'];
  return tableOf([...columns, 'Store of the key', 'In production', 'Ids in the request'], rows);
}
