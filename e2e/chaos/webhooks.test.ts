/** Workers and the receiver of webhooks are killed while tills work: no event is missed, and those that come twice have one id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { stockOut } from '@/server/domain/stock-outs/stock-outs';
import { createMerchant, testSecret, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { startReceiver } from '@/server/testing/webhook-receiver';
import { serviceEnvironment } from '../fixtures/service-environment';

const changes = 120;

const database = ownDatabase();

/** A worker in a process of its own. */
async function startWorker(): Promise<ChildProcess> {
  return spawn(process.execPath, [await commands(), 'worker'], {
    stdio: 'ignore',
    env: serviceEnvironment({ DATABASE_URL: database.url, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' }),
  });
}

async function kill(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
}

test('nothing is missed while workers and the receiver are killed, and what comes twice has the same id and content', async () => {
  const services = testServices(database.db);
  const merchant = await createMerchant(database.owner);
  const owner = await createStaff(database.owner, services, merchant.id);
  const receiver = await startReceiver(async () => {
    await wait(15);
    return 200;
  });
  const { endpointId, secret } = await callAs(owner).webhooks.create({
    url: receiver.url,
    description: '',
    eventTypes: ['stock_out.changed'],
  });

  let worker = await startWorker();
  const work = async () => {
    const till = await authenticateKey(services, merchant.stores[0].key);
    for (let n = 0; n < changes; n++) {
      await stockOut(till, { plus: [`PLU-${n}`] });
      await wait(10);
    }
  };
  const killAll = async () => {
    for (const progress of [10, 30, 50]) {
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(progress), 60_000);
      await kill(worker);
      // What it had taken waits for the end of its lease: a minute, which has passed here.
      await database.owner`update webhook_endpoints set leased_until = now() where leased_until is not null`;
      worker = await startWorker();
      await receiver.restart(500);
    }
  };
  await Promise.all([work(), killAll()]);
  const written =
    await database.owner`select id from events where merchant_id = ${merchant.id} and type = 'stock_out.changed'`;
  expect(written).toHaveLength(changes);
  await vi.waitFor(async () => {
    const [row] = await database.owner`
      select count(*)::int as n from webhook_deliveries where endpoint_id = ${endpointId} and state = 'delivered'`;
    expect(row?.n).toBe(changes);
  }, 90_000);
  await kill(worker);
  await receiver.stop();

  const byId = new Map<string, Set<string>>();
  for (const { id, body, headers } of receiver.received) {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    byId.set(id, (byId.get(id) ?? new Set()).add(body));
  }
  expect([...byId.keys()].sort()).toEqual(written.map(({ id }) => id).sort());
  for (const bodies of byId.values()) expect(bodies.size).toBe(1);
  // Each kill repeats a batch at the most.
  expect(receiver.received.length).toBeLessThan(changes + 3 * 40 + 50);
}, 240_000);
