/**
 * `npm run proof:deploy`: a release behind nginx, Caddy and HAProxy, with the samples in `deploy/`. Two instances are
 * restarted one after the other while tills and browsers send requests: none fails, nothing is done twice, and no proxy
 * logs an address.
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '@/db/operations/embedded';
import { freePort } from '@/db/operations/ports';
import { run } from '@/server/cli/run';
import { startLoad } from './load';
import { createMerchant, enrol, offerPackage, phone } from './merchant';
import { type ProxyName, startProxy } from './proxies';
import { type Instance, installRelease } from './release';

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
    const stage = { key, packageId: await offerPackage(owner), ports, instances };
    for (const name of ['nginx', 'caddy', 'haproxy'] as const) failed += await drill(name, stage);
    const codes = await Promise.all(instances.map((instance) => instance.stop()));
    process.stdout.write(`Both instances ended with exit code ${codes.join(' and ')}.\n`);
    if (codes.some((code) => code !== 0)) failed += 1;

    async function drill(proxyName: ProxyName, stage: Stage): Promise<number> {
      const port = await freePort();
      const proxy = await startProxy(proxyName, { port, instances: stage.ports });
      const load = startLoad(port, stage.key, stage.packageId, proxyName);
      await load.more(200);
      for (const n of [0, 1] as const) {
        await stage.instances[n].stop();
        stage.instances[n] = await release.start(stage.ports[n]);
        await load.more(200);
      }
      const { done, failures, transactions } = await load.finish();
      const log = proxy.log();
      await proxy.stop();
      const [{ found } = { found: -1 }] = await owner<{ found: number }[]>`
        select count(*)::int as found from transactions where transaction_id like ${`${proxyName}-%`}`;
      const leaks = [phone.slice(1), 'balances', '/sign-in'].filter((part) => log.includes(part));
      process.stdout.write(
        `${proxyName}: ${done} requests while both instances were restarted, ${failures.length} failed; ` +
          `${transactions} transactions answered, ${found} recorded; ${log.split('\n').length} lines in its log, ` +
          `${leaks.length === 0 ? 'no address' : `which hold ${leaks.join(', ')}`}.\n`,
      );
      for (const failure of failures.slice(0, 5)) process.stdout.write(`  ${failure}\n`);
      return failures.length + Math.abs(found - transactions) + leaks.length;
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
  packageId: string;
  ports: [number, number];
  instances: [Instance, Instance];
}
