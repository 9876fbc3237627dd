/**
 * `npm run proof:deploy`: a release behind nginx, Caddy and HAProxy, with the samples in `deploy/`. Two instances are
 * restarted one after the other while tills and browsers send requests: none fails, nothing is done twice, and no proxy
 * logs an address.
 */
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { startEmbedded } from '@/db/embedded';
import { freePort } from '@/db/ports';
import { run } from '@/server/cli/run';
import { createMerchant, enrol, newSale, phone } from './merchant';
import { type ProxyName, startProxy } from './proxies';
import { type Instance, installRelease } from './release';

const tills = 16;
const browsers = 4;

run(async () => {
  const dataDir = join(tmpdir(), `loyalty-deploy-${process.pid}`);
  const server = await startEmbedded({ dataDir, unsafe: true });
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
  await admin`create database loyalty`;
  const owner = postgres(server.url('loyalty'), { max: 1, onnotice: () => {} });
  const secret = 'forty characters that are for the drill';
  const release = installRelease({
    APP_ENV: 'sandbox',
    DATABASE_URL: server.url('loyalty'),
    AUTH_SECRET: secret,
    DATA_SECRET: secret.toUpperCase(),
    LOG_LEVEL: 'warn',
  });
  let failed = 0;
  try {
    release.call('migrate');
    const key = createMerchant(release);
    const ports: [number, number] = [await freePort(), await freePort()];
    const instances: [Instance, Instance] = [await release.start(ports[0]), await release.start(ports[1])];
    await enrol(ports[0], key);
    for (const name of ['nginx', 'caddy', 'haproxy'] as const) failed += await drill(name, { key, ports, instances });
    const codes = await Promise.all(instances.map((instance) => instance.stop()));
    process.stdout.write(`Both instances ended with exit code ${codes.join(' and ')}.\n`);
    if (codes.some((code) => code !== 0)) failed += 1;

    async function drill(proxyName: ProxyName, stage: Stage): Promise<number> {
      const port = await freePort();
      const proxy = await startProxy(proxyName, { port, instances: stage.ports });
      const load = startLoad(port, stage.key, proxyName);
      await load.more(200);
      for (const n of [0, 1] as const) {
        await stage.instances[n].stop();
        stage.instances[n] = await release.start(stage.ports[n]);
        await load.more(200);
      }
      const { done, failures, sales } = await load.finish();
      const log = proxy.log();
      await proxy.stop();
      const [{ found } = { found: -1 }] = await owner<{ found: number }[]>`
        select count(*)::int as found from transactions where transaction_id like ${`${proxyName}-%`}`;
      const leaks = [phone.slice(1), 'balances', '/sign-in'].filter((part) => log.includes(part));
      process.stdout.write(
        `${proxyName}: ${done} requests while both instances were restarted, ${failures.length} failed; ` +
          `${sales} sales answered, ${found} recorded; ${log.split('\n').length} lines in its log, ` +
          `${leaks.length === 0 ? 'no address' : `which hold ${leaks.join(', ')}`}.\n`,
      );
      for (const failure of failures.slice(0, 5)) process.stdout.write(`  ${failure}\n`);
      return failures.length + Math.abs(found - sales) + leaks.length;
    }
  } finally {
    await Promise.all([owner.end(), admin.end()]);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  if (failed > 0) process.exitCode = 1;
});

interface Stage {
  key: string;
  ports: [number, number];
  instances: [Instance, Instance];
}

/** Tills and browsers at work through a proxy. Each keeps its connection, as theirs do. */
function startLoad(port: number, key: string, name: string) {
  const failures: string[] = [];
  let [done, sales, isDone] = [0, 0, false];
  const send = createClient(port, key);

  const till = async (n: number) => {
    for (let turn = 0; !isDone; turn++) {
      const [balances, sold] = [
        await send('GET', `/api/v1/customers/phone/${encodeURIComponent(phone)}/balances`),
        await send('POST', '/api/v1/sales', newSale(`${name}-${n}-${turn}`)),
      ];
      note('balances', balances, [200]);
      note('sale', sold, [200]);
      if (sold === 200) sales += 1;
      await wait(700);
    }
  };
  const browser = async () => {
    while (!isDone) {
      note('page', await send('GET', '/sign-in'), [200]);
      await wait(200);
    }
  };
  function note(what: string, status: number | string, expected: number[]) {
    done += 1;
    if (!expected.includes(status as number)) failures.push(`${what}: ${status}`);
  }
  const all = Promise.all([
    ...Array.from({ length: tills }, (_, n) => till(n)),
    ...Array.from({ length: browsers }, browser),
  ]);
  return {
    async more(count: number) {
      for (const goal = done + count; done < goal; ) await wait(20);
    },
    async finish() {
      isDone = true;
      await all;
      return { done, failures, sales };
    },
  };
}

/** Sends requests over connections that are kept. Resolves with the status, or with why there is none. */
function createClient(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (method: 'GET' | 'POST', path: string, body?: object): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const sent = request({ agent, host: 'localhost', port, method, path, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', (error) => resolve(error.message));
      sent.end(body && JSON.stringify(body));
    });
}
