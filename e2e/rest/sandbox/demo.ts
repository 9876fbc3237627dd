/** The demo's first merchant, as `npm run demo` seeds it, and the examples of the document against it. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { demoMerchants } from '@/db/seed/demo-data';
import { seedMerchant } from '@/db/seed/seed-demo';
import { seedActivity } from '@/server/cli/demo-activity';
import { seedCrowd } from '@/server/cli/demo-environment';
import { hashApiKey, newApiKey } from '@/server/domain/access';
import { testSecret } from '@/server/testing/factory';
import { type DocumentedEntry, documented } from '../document';
import type { Answer, Api } from '../harness';
import { type Call, performCall } from '../operations';

export const [demo] = demoMerchants;

export interface Demo {
  merchantKey: string;
  /** By store code. */
  storeKeys: Record<string, string>;
  /** Seeds again, as at the next start. */
  restart(): Promise<void>;
}

/** On a database of one's own. */
export async function seedDemo(api: Api): Promise<Demo> {
  const [{ name = '' } = {}] = await api.owner<{ name: string }[]>`select current_database() as name`;
  const ownerUrl = Object.assign(new URL(inject('adminUrl')), { pathname: `/${name}` }).href;
  const merchantKey = newApiKey('sandbox');
  const storeKeys = Object.fromEntries(demo.stores.map(({ storeCode }) => [storeCode, newApiKey('sandbox')]));
  const keys = [[null, merchantKey] as const, ...Object.entries(storeKeys)].map(([storeCode, key]) => ({
    storeCode,
    hash: hashApiKey(key),
    lastFour: key.slice(-4),
  }));
  const restart = async () => {
    await seedMerchant(api.owner, demo, { passwordHashes: new Map(), keys });
    await seedCrowd(api.owner, demo, demo.customers.count);
    const actors = { ownerUrl, dataSecret: testSecret, publicOrigin: api.origin, storeKeys: Object.values(storeKeys) };
    await seedActivity(demo, actors);
  };
  await restart();
  return { merchantKey, storeKeys, restart };
}

/** The example of an operation as a call, with a new value for each field that says so. */
export function exampleOf({ method, path, operation }: DocumentedEntry): Call {
  const given = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const textOf = (name: string) => encodeURIComponent(String(given.find((one) => one.name === name)?.example));
  const query = given.filter(({ in: place }) => place === 'query').map(({ name }) => `${name}=${textOf(name)}`);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => textOf(name));
  const media = operation.requestBody?.content['application/json'];
  const fresh = Object.entries(media?.['x-fresh'] ?? {}).map(([name, template]) => [
    name,
    template.replace('{fresh}', randomUUID()),
  ]);
  return {
    method: method as Call['method'],
    path: address + (query.length > 0 ? `?${query.join('&')}` : ''),
    ...(media ? { body: { ...(media.example as object), ...Object.fromEntries(fresh) } } : {}),
  };
}

/** Sends the examples of these operations, one after another; returns those that are not 200. */
export async function failuresOf(api: Api, key: string, entries: DocumentedEntry[]): Promise<string[]> {
  const failures: string[] = [];
  for (const entry of entries) {
    const answer: Answer = await performCall(api, key, exampleOf(entry));
    if (answer.status !== 200) failures.push(`${entry.operation.operationId}: ${answer.text}`);
  }
  return failures;
}

/**
 * Without that which deletes what the others need, and those on webhook endpoints, which need an endpoint and a key that
 * no till has.
 */
export const examples = documented.filter(
  ({ path, operation }) => operation.operationId !== 'resetSandbox' && !path.startsWith('/webhook-endpoints'),
);
