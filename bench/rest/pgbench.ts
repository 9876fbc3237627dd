/**
 * The database's maximum: the minimum that a look-up and a redemption need, and the service's own statements, sent by
 * pgbench.
 */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { appRole } from '@/db/driver';
import { inFull } from '../pace';
import { type Contestant, measureContestant, median } from './measure';
import type { Report } from './report';
import type { Stage } from './stage';
import { checkParameters, type Statement } from './statements';

const run = promisify(execFile);
const rounds = inFull(5, 1);
const clients = 8;
/** Whole ones. */
const seconds = inFull(2, 1);

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

/** Compares the service with it, in turn, with as many clients. */
export async function comparePgbench(stage: Stage, service: Contestant, report: Report): Promise<void> {
  const isInstalled = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled)
    return report.say('\npgbench is not installed, so this comparison is skipped (Debian: postgresql-contrib).');
  await makeMinimalTables(stage);
  const scripts = {
    balances: { least: balances.replace('{merchant}', stage.merchantId), same: sameBalances(stage) },
    redeem: { least: redeem, same: sameRedeem(stage) },
  };
  report.say(
    `\nThe service against pgbench, ${clients} clients each, in turn: with the same statements, and with the fewest needed (one, without tenancy)`,
  );
  for (const name of ['balances', 'redeem'] as const) {
    const files = {
      least: join('dist', 'bench', `${name}-least.sql`),
      same: join('dist', 'bench', `${name}-same.sql`),
    };
    for (const kind of ['least', 'same'] as const) writeFileSync(files[kind], scripts[name][kind]);
    const rates = { least: [] as number[], same: [] as number[] };
    const ratios = { least: [] as number[], same: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const { perSecond } = await measureContestant(service, { load: name, clients, seconds });
      for (const kind of ['least', 'same'] as const) {
        const rate = await rateOf(stage, files[kind]);
        rates[kind].push(rate);
        ratios[kind].push(perSecond / rate);
      }
    }
    report.say(
      `${name}: pgbench ${Math.round(median(rates.same))} per second with the same statements, ${Math.round(median(rates.least))} with the fewest`,
    );
    report.atLeast(`${name}: throughput against pgbench, same statements`, median(ratios.same), targets[name]);
    report.atLeast(`${name}: throughput against pgbench, fewest statements`, median(ratios.least), targets[name]);
  }
}

/** Fills a statement's parameters with SQL: values that pgbench draws or has been given. */
function fill(statement: Statement, ...parameters: string[]): string {
  checkParameters(statement, parameters);
  return statement.text.replaceAll(/\$(\d+)/g, (_, n) => `(${parameters[Number(n) - 1]})`);
}

const phone = "'+65' || (80000000 + :n)::text";
const oneRow = (object: string) => `json_build_array(json_build_object(${object}))::text`;
const keyOf = ({ statements }: Stage): string => fill(statements.key.find, `'${statements.key.find.parameters[0]}'`);
/** The row that the service has given to a statement as its only parameter. */
const givenTo = ({ parameters }: Statement) => JSON.parse(parameters[0] as string)[0];

function sameBalances(stage: Stage): string {
  const { merchantId, statements } = stage;
  const { storeCode } = givenTo(statements.balances.read);
  const question = `'n', 0, 'merchantId', '${merchantId}', 'key', ${phone}, 'storeCode', '${storeCode}', 'now', now()`;
  return `
\\set n random(1, :customers - 1)
${keyOf(stage)};
${fill(statements.balances.read, oneRow(question))};`;
}

function sameRedeem(stage: Stage): string {
  const { look, lock, value, record, post } = stage.statements.redeem;
  const { storeCode } = givenTo(look);
  const { answer, apiKeyId } = givenTo(record);
  const merchant = `'${stage.merchantId}'::uuid`;
  const id = "'pgbench-' || :client_id || '-' || :r";
  const uid = `md5(${id})::uuid`;
  const ofMerchant = `'merchantId', '${stage.merchantId}'`;
  const holder = `${ofMerchant}, 'customerId', :customer_id::text`;
  const of = `${holder}, 'createdAt', now()`;
  const question = `${ofMerchant}, 'n', 0, 'storeCode', '${storeCode}', 'transactionId', ${id}, 'key', ${phone}`;
  const row = `${of}, 'uid', ${uid}, 'storeId', :store_id::text, 'transactionId', ${id},
    'type', 'redeemStoredValue', 'status', 'completed', 'amount', 1, 'apiKeyId', '${apiKeyId}', 'occurredAt', now(),
    'requestHash', '\\x' || md5('a') || md5('b'), 'answer', repeat('x', ${answer.length})`;
  const entry = `${of}, 'transactionUid', ${uid}, 'lotId', :next_lots::json->0->>'id',
    'part', :next_lots::json->0->>'part', 'kind', 'spend', 'amount', -1`;
  const lotIds = "array[:next_lots::json->0->>'id']";
  return `
\\set n random(1, :customers - 1)
\\set r random(1, 1000000000000)
${keyOf(stage)};
select store_id, customer_id from (
${fill(look, oneRow(question))}
) as found (n, is_own, store_id, type, status, request_hash, answer, customer_id, locked_until) \\gset
begin;
set local app.merchant_id = '${stage.merchantId}';
${fill(lock, oneRow(holder))};
select next_lots from (
${fill(value, oneRow(`${holder}, 'amount', 1, 'now', now()`))}
) as found (customer_id, principal, bonus, points, next_lots, merchant_id, is_own) \\gset
${fill(record, oneRow(row))};
${fill(post, oneRow(entry), merchant, "'[]'", merchant, lotIds, merchant, 'array[:customer_id::text]', merchant)};
commit;`;
}

async function makeMinimalTables({ url, customers }: Stage): Promise<void> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`
    create table minimal_balances (n int primary key, balance bigint not null check (balance >= 0));
    create table minimal_redemptions (id uuid primary key default uuidv7(), n int not null, amount bigint not null,
      created_at timestamptz not null default now());
    insert into minimal_balances select n, 1000000 from generate_series(0, ${customers - 1}) n;
    grant all on minimal_balances, minimal_redemptions to ${appRole};
    analyze minimal_balances`);
  await owner.end();
}

async function rateOf({ url, customers }: Stage, file: string): Promise<number> {
  const size = ['-D', `customers=${customers}`];
  const { stdout } = await run(
    'pgbench',
    ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', file, ...size, url],
    { env: { ...process.env, PGOPTIONS: `-c role=${appRole}` } },
  );
  const [, rate] = /tps = ([\d.]+) /.exec(stdout) ?? [];
  if (!rate) throw new Error(`pgbench said no rate: ${stdout}`);
  return Number(rate);
}
