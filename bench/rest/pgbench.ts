/** What the database can do at most: the least that a look-up and a redemption take, sent by pgbench. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { type Contestant, measure, median } from './measure';
import type { Report } from './report';
import type { Stage } from './stage';

const run = promisify(execFile);
const rounds = 5;
const clients = 8;
const seconds = 2;

const balances = `
\\set n random(0, :customers - 1)
select c.id, b.principal, b.bonus, b.points from customers c join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
where c.merchant_id = '{merchant}' and c.phone = '+65' || (80000000 + :n)::text;`;

const redeem = `
\\set n random(0, :customers - 1)
with taken as (
  update minimal_balances set balance = balance - 1 where n = :n and balance >= 1 returning n
)
insert into minimal_redemptions (n, amount) select n, 1 from taken;`;

const targets = { balances: 0.3, redeem: 0.45 };

/** Holds the service against it, in turn, with as many clients. */
export async function comparePgbench(stage: Stage, service: Contestant, report: Report): Promise<void> {
  const isInstalled = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled)
    return report.say('\npgbench is not installed: nothing is held against it (Debian: postgresql-contrib).');
  report.say(
    '\nThe service against the least that PostgreSQL needs: pgbench, one statement without tenancy; 8 clients each, in turn',
  );
  await makeMinimalTables(stage);
  const scripts = { balances, redeem };
  for (const name of ['balances', 'redeem'] as const) {
    const file = join('dist', 'bench', `${name}.sql`);
    writeFileSync(file, scripts[name].replace('{merchant}', stage.merchantId));
    const rates: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { perSecond } = await measure(service, { load: name, clients, seconds });
      const rate = await rateOf(stage, file);
      rates.push(rate);
      ratios.push(perSecond / rate);
    }
    report.say(`${name}: pgbench ${Math.round(median(rates))} per second`);
    report.atLeast(`${name}: throughput against pgbench`, median(ratios), targets[name]);
  }
}

async function makeMinimalTables({ url, customers }: Stage): Promise<void> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`
    create table minimal_balances (n int primary key, balance bigint not null check (balance >= 0));
    create table minimal_redemptions (id uuid primary key default uuidv7(), n int not null, amount bigint not null,
      created_at timestamptz not null default now());
    insert into minimal_balances select n, 1000000 from generate_series(0, ${customers - 1}) n;
    analyze minimal_balances`);
  await owner.end();
}

async function rateOf({ url, customers }: Stage, file: string): Promise<number> {
  const size = ['-D', `customers=${customers}`];
  const { stdout } = await run('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-T',
    String(seconds),
    '-f',
    file,
    ...size,
    url,
  ]);
  const [, rate] = /tps = ([\d.]+) /.exec(stdout) ?? [];
  if (!rate) throw new Error(`pgbench said no rate: ${stdout}`);
  return Number(rate);
}
