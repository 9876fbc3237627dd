/**
 * While a merchant's writes are stopped, before it leaves for another cell, none of its data changes. Every staff
 * procedure with a valid input is refused or only reads, and so does every task of the worker.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { isBeingMoved } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import type { StaffRole } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { crontab, tasks } from '@/server/jobs/tasks';
import { callAs } from '@/server/testing/staff';
import { whileStopped } from '@/server/testing/stop';
import { outcomeOf } from '@/server/testing/tenancy/outcome';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { needsPaymentService, staffCases } from '@/server/testing/tenancy/staff-cases';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { listProcedures } from './procedures';
import { staffRouter } from './staff/router';

const procedures = listProcedures<{ roles: readonly StaffRole[] }>(staffRouter).filter(
  ({ type }) => type !== 'subscription',
);

/** The queue's tasks for one merchant. */
const jobs = [
  'deliver-message',
  'send-notices',
  'run-automation',
  'issue-vouchers',
  'import-customers',
  'take-back-points',
];

const database = ownDatabase();
let stage: TenancyStage;

beforeAll(async () => {
  stage = await createTenancyStage(database, 'Aardvark', false);
});

/** Returns the tables in which `work` changed rows during the stop. */
async function changedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = await rowsOf(stage.owner, stage.merchant.id);
  await whileStopped(stage.owner, stage.merchant.id, work);
  const after = await rowsOf(stage.owner, stage.merchant.id);
  return Object.keys(after).filter((table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]));
}

describe.each(procedures)('$path', ({ path, type, meta }) => {
  test(`as ${meta.roles[0]}`, async () => {
    const made = await staffCases[path]?.(stage);
    await stage.owner`delete from throttles`;
    const caller = callAs(stage.staff[meta.roles[0] as StaffRole]) as unknown as Record<string, unknown>;
    const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
    let outcome = '';
    const changed = await changedBy(async () => {
      outcome = await outcomeOf(
        (procedure as (input: unknown) => Promise<unknown>)(Array.isArray(made) ? made[0] : made),
      );
    });
    expect(changed).toEqual([]);
    if (type === 'mutation' && !needsPaymentService.includes(path)) expect(outcome).toContain('service_unavailable');
  });
});

const delivered = async () => ({ outcome: 'sent' as const, providerId: newId() });
/** The worker's tasks more than a year later, when there is something to expire, to delete and to sum up. */
function tasksLater() {
  const later = { now: () => new Date(Date.now() + 400 * 24 * 60 * 60_000) };
  const services = { ...stage.services, clock: later, systemClock: later };
  return tasks(services, { sendCode: delivered, sendNotice: delivered }, { send: delivered });
}
const jobOf = { abortSignal: new AbortController().signal, job: { attempts: 1, max_attempts: 25 } };
const run = async (task: string, payload: object = {}) => tasksLater()[task]?.(payload, jobOf as never);

test('a job of the merchant fails, so that the queue keeps it for the other cell', async () => {
  const { id: merchantId } = stage.merchant;
  const ids = { merchantId, messageId: newId(), importId: newId(), issueId: newId(), runId: newId(), billUid: newId() };
  const payload = { ...ids, task: 'expire-value', userId: stage.staff.owner.staff.userId };
  await whileStopped(stage.owner, merchantId, async () => {
    for (const task of jobs) await expect(run(task, payload), task).rejects.toSatisfy(isBeingMoved);
  });
});

test('no scheduled task changes anything, and afterwards they do', async () => {
  const scheduled = crontab.split('\n').map((line) => line.split(' ')[5] as string);
  const work = async () => {
    for (const task of scheduled) await run(task);
  };
  expect(await changedBy(work)).toEqual([]);
  const before = await rowsOf(stage.owner, stage.merchant.id);
  await work();
  const after = await rowsOf(stage.owner, stage.merchant.id);
  const changed = Object.keys(after).filter((table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]));
  expect(changed).toEqual(
    expect.arrayContaining([
      'customer_imports',
      'diner_sessions',
      'events',
      'invitations',
      'job_runs',
      'ledger_days',
      'report_progress',
    ]),
  );
});
