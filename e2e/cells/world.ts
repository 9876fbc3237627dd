/** Two cells behind the router of `deploy/haproxy-cells.cfg`, each with a PostgreSQL and a REST service of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import postgres from 'postgres';
import { connectDatabase } from '@/db/driver';
import { freePort } from '@/db/operations/ports';
import { startCell } from '@/db/testing/cells';
import { commands } from '@/db/testing/commands';
import { hashApiKey, newApiKey } from '@/server/domain/access/api-key';
import { createCell } from '@/server/domain/kernel/cells';
import { recordCell } from '@/server/process/readiness';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { localPlace, startRestService } from '../chaos/victims';
import { startRouter } from './router';

export type CellName = 'sg1' | 'sg2';
const originPattern = 'http://{cell}.loyalty.localhost';

export interface Shop {
  merchantId: string;
  /** Where it was created; its key names this cell. */
  firstCell: CellName;
  key: string;
  customers: string[];
  packageId: string;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Starts everything, with full durability, and creates merchants: `count` in the first cell, a fifth of that in the second. */
export async function openWorld(count: number) {
  const [sg1, sg2] = await Promise.all([openCell('sg1'), openCell('sg2')]);
  const cells = { sg1, sg2 };
  const port = await freePort();
  const ports = (cell: typeof sg1): [number, number] => [portOf(cell.service.origin), portOf(cell.service.origin)];
  const router = await startRouter({ port, ports: { sg1: ports(sg1), sg2: ports(sg2) } });
  const shops: Shop[] = [];
  for (let n = 0; n < count; n++) shops.push(await createShop(sg1, 'sg1'));
  for (let n = 0; n < count / 5; n++) shops.push(await createShop(sg2, 'sg2'));
  return {
    cells,
    router,
    shops,
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      await router.stop();
      for (const cell of [sg1, sg2]) await cell.close();
    },
  };
}

const portOf = (origin: string) => Number(new URL(origin).port);

async function openCell(name: CellName) {
  const { server, urls, stop } = await startCell(name, { isDurable: true });
  const owner = postgres(urls.owner, { max: 3, onnotice: () => {} });
  const db = connectDatabase(urls.service, { max: 2 });
  await recordCell({ ...testServices(db), cell: createCell(name, originPattern) });
  await db.close();
  const service = await startRestService(urls.service, [], {
    ...localPlace,
    settings: { CELL: name, PUBLIC_ORIGIN: originPattern },
  });
  return {
    name,
    server,
    urls,
    owner,
    service,
    close: async () => {
      await service.stop();
      await owner.end({ timeout: 1 });
      await stop();
    },
  };
}

async function createShop({ owner }: { owner: postgres.Sql }, firstCell: CellName): Promise<Shop> {
  const { id: merchantId, stores } = await createMerchant(owner, { records_events: true, event_types: null });
  const key = newApiKey('sandbox', { cell: { name: firstCell } });
  await owner`update api_keys set hash = ${hashApiKey(key)}, last_four = ${key.slice(-4)} where hash = ${hashApiKey(stores[0].key)}`;
  const packageId = await createFixedPackage(owner, merchantId, { amount: 1_000, bonus: 100 });
  const customers = [];
  for (let n = 0; n < 4; n++) customers.push((await createCustomer(owner, merchantId)).id);
  return { merchantId, firstCell, key, customers, packageId };
}

/** Starts `merchant move`. */
export async function startMove(
  { cells }: World,
  { merchantId }: Shop,
  from: CellName,
  to: CellName,
  ...args: string[]
) {
  const child = spawn('node', [await commands(), 'merchant', 'move', merchantId, '--to', to, ...args], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATABASE_OWNER_URL: cells[from].urls.owner,
      TARGET_DATABASE_OWNER_URL: cells[to].urls.owner,
      MOVER_URL: cells[from].urls.mover,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
}
