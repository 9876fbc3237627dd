/** `npm run demo` and `npm run dev`: start a database, the demo's data and the service from scratch. */
import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { StartupError } from '@/db/startup-error';
import { readEnv } from '@/server/environment/env';
import { ensurePortIsFree } from '@/server/process/port';
import { startService } from '@/server/process/service';
import { isBuildCurrent, markBuild } from './build-stamp';
import { dataDir, openDemoDatabase } from './demo-database';
import { type DemoFile, demoSecrets, prepareDemo } from './demo-environment';
import { ensureApiFiles } from './generate/api-files';
import { readOptions, run, stopSignal } from './run';

run(async () => {
  const values = readOptions({ dev: { type: 'boolean' } });
  if (process.env.APP_ENV === 'production') throw new StartupError('The demo does not run in production.');
  const stopped = stopSignal();
  const port = Number(process.env.PORT || 3000);
  // Only this machine may see its inbox and its printed keys.
  process.env.HOST ||= '127.0.0.1';
  await ensurePortIsFree(port, process.env.HOST);
  const database = await openDemoDatabase();
  try {
    const { AUTH_SECRET, DATA_SECRET } = demoSecrets();
    const defaults = {
      APP_ENV: 'sandbox',
      AUTH_SECRET,
      DATA_SECRET,
      DATABASE_URL: database.ownerUrl,
      LOG_LEVEL: 'warn',
    };
    for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value;
    const settings = readEnv(process.env);
    const demo = await prepareDemo(database.ownerUrl, settings.PUBLIC_ORIGIN);
    if (values.dev) ensureApiFiles();
    else if (!isBuildCurrent()) {
      process.stdout.write('Building… The first time, this takes a few minutes.\n');
      execFileSync('npm', ['run', '--silent', 'build'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      });
      markBuild();
    }
    const service = await startService(settings, values.dev ? 'dev' : 'start');
    process.stdout.write(await introduce(demo, port));
    await service.stop(await stopped);
  } finally {
    await database.stop();
  }
  process.exit(0);
});

async function introduce({ origin, merchants }: DemoFile, port: number): Promise<string> {
  const [merchant] = merchants;
  const [store] = merchant?.stores ?? [];
  const [customer] = merchant?.customers ?? [];
  if (!merchant || !store || !customer) throw new Error('the demo has no merchant');
  const api = `http://127.0.0.1:${port}/api/v1`;
  const headers = { 'x-api-key': store.apiKey, 'content-type': 'application/json' };
  const listed = await fetch(`${api}/stores/${store.storeCode}/stored-value-packages`, { headers });
  const { packages } = (await listed.json()) as {
    packages: { packageId: string; amount: number | null; minAmount: number | null }[];
  };
  const bill = { billId: `demo-${Date.now()}`, table: '1', expiresInMinutes: 1440 };
  const code = await fetch(`${api}/qr-codes`, { method: 'POST', headers, body: JSON.stringify(bill) });
  const { url } = (await code.json()) as { url: string };
  const body = {
    transactionId: `demo-${Date.now()}`,
    customer: { phone: customer.phone },
    packageId: packages[0]?.packageId,
    amount: packages[0]?.amount ?? packages[0]?.minAmount,
  };
  return `
  The service runs at     ${origin}
  Back office             ${origin}/sign-in
    e-mail                ${merchant.owner.email}
    password              ${merchant.owner.password}
${merchant.staff.map(({ role, email, password }) => `    as ${role.padEnd(18)} ${email}  ${password}`).join('\n')}
  A table's ordering page ${url}
  E-mails, instead of sent ${origin}/sandbox-inbox
  Documentation           ${origin}/docs
  POS key (${store.storeCode})       ${store.apiKey}

  Top up a customer with:

    curl ${origin}/api/v1/transactions/stored-value/top-up -H 'x-api-key: ${store.apiKey}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'

  ${relative('', join(dataDir, 'demo.json'))} has all keys, sign-ins and customers. Stop with Ctrl-C.

`;
}
