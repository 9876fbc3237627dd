/**
 * `npm run proof:alerts`: a real Prometheus with the rules of `deploy/monitoring` watches a release. Each alert fires
 * when its fault is injected, and not before. The rules' minutes are seconds here. Every panel of the dashboard has
 * shown something by the end.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { startEmbedded } from '@/db/operations/embedded';
import { freePort } from '@/db/operations/ports';
import { run } from '@/server/cli/run';
import { installBinary } from '../recovery/binaries';
import { createMerchant, enrol, newSale, phone } from './merchant';
import { installRelease } from './release';

const samples = join('deploy', 'monitoring');

run(async () => {
  if (!existsSync('/usr/bin/promtool')) installBinary('prometheus');
  execFileSync('promtool', ['check', 'rules', join(samples, 'alerts.yaml')], { stdio: 'ignore' });
  execFileSync('promtool', ['check', 'config', join(samples, 'prometheus.yaml')], { stdio: 'ignore' });

  const dataDir = join(tmpdir(), `loyalty-alerts-${process.pid}`);
  const server = await startEmbedded({ dataDir, unsafe: true });
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
  await admin`create database loyalty`;
  await admin.end();
  const owner = postgres(server.url('loyalty'), { max: 2, onnotice: () => {} });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const secret = 'forty characters that are for the drill';
  const nowhere = 'http://127.0.0.1:9';
  const release = installRelease({
    APP_ENV: 'sandbox',
    DATABASE_URL: server.url('loyalty'),
    AUTH_SECRET: secret,
    DATA_SECRET: secret.toUpperCase(),
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'silent',
    WHATSAPP_API_URL: nowhere,
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'x',
    WHATSAPP_VERIFY_TOKEN: 'x',
    WHATSAPP_APP_SECRET: 'x',
  });
  release.call('migrate');
  const key = createMerchant(release);
  const instance = await release.start(port);
  await enrol(port, key);
  const prometheus = await startPrometheus(metricsPort);

  const send = (method: 'GET' | 'POST', path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
  const balances = () => send('GET', `/customers/phone/${encodeURIComponent(phone)}/balances`);
  let serial = 0;
  const signUp = () =>
    send('POST', '/customers', { givenName: 'Ada', lastName: 'Tan', email: `ada${++serial}@example.com` });
  const sell = () => send('POST', '/sales', newSale(`sale-${++serial}`));

  /** Repeats a fault until the alert fires, then ends the fault. Errors: if it fires without one, or does not fire. */
  async function expectAlert(
    name: string,
    fault: () => Promise<unknown>,
    end: () => Promise<unknown> = async () => {},
  ) {
    // An earlier fault may have brought it about, too.
    const isFiring = async () => (await prometheus.firing()).includes(name);
    for (const deadline = performance.now() + 30_000; await isFiring(); await wait(200)) {
      if (performance.now() > deadline) throw new Error(`${name} fires without a fault`);
    }
    const startedAt = performance.now();
    while (!(await isFiring())) {
      if (performance.now() - startedAt > 60_000) throw new Error(`${name} does not fire`);
      await Promise.all([fault(), wait(200)]);
    }
    await end();
    process.stdout.write(`${name} fires after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`);
  }

  try {
    const page = () => fetch(`http://127.0.0.1:${port}/sign-in`);
    for (let n = 0; n < 25; n++) await Promise.all([balances(), sell(), page(), wait(200)]);
    const early = await prometheus.firing();
    process.stdout.write(`Without a fault, ${early.length === 0 ? 'no alert fires' : `these fire: ${early}`}.\n`);
    if (early.length > 0) process.exitCode = 1;

    await owner`select graphile_worker.add_job('nobody-knows', run_at => now() - interval '1 hour')`;
    await expectAlert('LoyaltyJobsWait', balances);
    await expectAlert('LoyaltyDeliveriesFail', () => send('POST', '/customers/forget-pin', { customer: { phone } }));
    await expectAlert('LoyaltyEventLoopBlocked', async () => {
      await instance.pause(650);
      await wait(300);
    });
    await lock('transactions', 'LoyaltySlow', () => Promise.all(Array.from({ length: 4 }, sell)));
    // Sales of one merchant share transactions, and would not wait.
    await lock('customers', 'LoyaltyWaitsForConnections', () => Promise.all(Array.from({ length: 40 }, signUp)));
    let stopped: Promise<void> | undefined;
    await expectAlert('LoyaltyNotReady', () => {
      stopped ??= server.stop();
      return stopped;
    });
    await expectAlert('LoyaltyErrors', balances);
    await server.restart();
    await expectAlert('LoyaltyDown', () => instance.stop());
    const panels = await prometheus.panels();
    const empty = panels.filter(({ isEmpty }) => isEmpty).map(({ expression }) => expression);
    process.stdout.write(
      `${panels.length} queries of the dashboard ran. Without data: ${empty.join('; ') || 'none'}.\n`,
    );
    if (empty.length > 0) process.exitCode = 1;
  } finally {
    await instance.stop();
    await prometheus.stop();
    await owner.end();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }

  /** Expects an alert while another transaction has locked a table. */
  async function lock(table: string, name: string, fault: () => Promise<unknown>): Promise<void> {
    await owner.begin(async (tx) => {
      await tx`lock table ${tx(table)} in exclusive mode`;
      await expectAlert(name, fault);
    });
  }
});

interface Prometheus {
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>;
  /** The queries of the dashboard, and which of them had no number at any moment since the start. */
  panels(): Promise<{ expression: string; isEmpty: boolean }[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus on the samples: asks every second, and takes the rules' minutes as seconds. */
async function startPrometheus(metricsPort: number): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const read = (file: string) => readFileSync(join(samples, file), 'utf8');
  const config = read('prometheus.yaml').replaceAll('15s', '1s').replace('service:9464', `127.0.0.1:${metricsPort}`);
  writeFileSync(join(folder, 'prometheus.yaml'), config);
  writeFileSync(
    join(folder, 'alerts.yaml'),
    read('alerts.yaml')
      .replace(/\b(\d+)m\b/g, '$1s')
      .replace(/\[(\d)s\]/g, '[1$1s]'),
  );
  const port = await freePort();
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => null);
    return (await response?.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } } | null;
  };
  for (const deadline = Date.now() + 20_000; !(await ask()); await wait(100)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('Prometheus does not start');
  }
  return {
    firing: async () => {
      const alerts = (await ask())?.data.alerts ?? [];
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    panels: () =>
      Promise.all(
        dashboardQueries().map(async (expression) => {
          // A comparison drops what is no number (0/0).
          const query = `max_over_time(((${expression.replaceAll('$__rate_interval', '10s')}) >= 0)[30m:1s])`;
          const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`);
          const { data } = (await response.json()) as { data?: { result: unknown[] } };
          return { expression, isEmpty: !data || data.result.length === 0 };
        }),
      ),
    stop: async () => {
      const closed = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function dashboardQueries(): string[] {
  const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
    readFileSync(join(samples, 'dashboard.json'), 'utf8'),
  );
  return dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}
