/** The worker's tasks, with something to do for each. */
import { addDays, formatISO } from 'date-fns';
import { plainSale } from '@/e2e/rest/ordering-operations';
import { settleBillPayment } from '@/server/domain/bills/settle';
import type { Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { deliverBatch, endpointsDue } from '@/server/domain/webhooks';
import { crontab, tasks } from '@/server/jobs/tasks';
import { fiveOff } from '../campaigns';
import { dropJobs, queuedJobs } from '../queue';
import { paidOnBill } from './diner';
import type { CallScene, Calls } from './scene';
import { newDelivery } from './staff-changes';
import { uploadFile } from './staff-customers';

const messenger = {
  sendCode: async () => ({ outcome: 'sent' as const, providerId: newId() }),
  sendNotice: async () => ({ outcome: 'sent' as const, providerId: newId() }),
};
const mailer = { send: async () => ({ outcome: 'sent' as const, providerId: newId() }) };

type Task = (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => Promise<unknown>;

/** Runs the queued jobs of a task; at least one. */
async function drain({ sql }: CallScene, name: string, task: Task): Promise<void> {
  const jobs = (await queuedJobs(sql)).filter(({ task_identifier }) => task_identifier === name);
  if (jobs.length === 0) throw new Error(`no job of ${name} is queued`);
  for (const { id, payload } of jobs) {
    await dropJobs(sql, [id]);
    await task(payload, { job: { attempts: 1, max_attempts: 25 } });
  }
}

/** Creates work for scheduled tasks. */
const before: Calls = {
  'expire-value': ({ sql, merchant }) =>
    sql`update lots set expires_at = now() - interval '1 day' where merchant_id = ${merchant.id} and part = 'bonus'`,
  'send-daily-summaries': async ({ call, sql, merchant }) => {
    await call.reports.setDailySummary({ isOn: true, language: 'en' });
    await sql`
      update memberships set summarized_until = current_date - 9
      where merchant_id = ${merchant.id} and summarized_until is not null`;
  },
  'remind-of-expiry': async ({ sql, merchant, topUp }) => {
    await topUp();
    await sql`
      update lots set expires_at = now() + interval '7 days' where merchant_id = ${merchant.id} and expires_at > now()`;
  },
  'begin-voucher-occasions': async ({ call, sql, merchant }) => {
    const seasonalOn = formatISO(addDays(new Date(), 1), { representation: 'date' });
    await call.campaigns.create({ ...fiveOff, trigger: 'birthday' });
    await call.campaigns.create({ ...fiveOff, trigger: 'anniversary' });
    await call.campaigns.create({ ...fiveOff, trigger: 'seasonal', seasonalOn });
    await sql`
      update voucher_campaigns set occasions_through = current_date - 3
      where merchant_id = ${merchant.id} and trigger <> 'manual'`;
    await sql`
      update customers set birthday = (current_date - interval '30 years')::date where merchant_id = ${merchant.id}`;
  },
  'take-back-points': async (scene) => {
    const { sql, post, stripe, services, merchant, customer } = scene;
    const paymentId = await paidOnBill(scene);
    const [bill] = await sql<{ billId: string; total: number }[]>`
      select bill_id as "billId", total::int from bills where id = (select bill_uid from bill_payments where id = ${paymentId})`;
    if (!bill) throw new Error('the payment has no bill');
    const payments = [{ method: 'phone', amount: bill.total }];
    await post(
      '/sales',
      plainSale(bill.total, { billId: bill.billId, customer: { customerId: customer.id }, payments }),
    );
    stripe.refund([...stripe.sessions.keys()].at(-1) as string, 100);
    await settleBillPayment(services, { merchantId: merchant.id, billPaymentId: paymentId });
  },
  'import-customers': async (scene) => {
    const { importId } = await uploadFile(scene);
    const columns = { givenName: 0, lastName: 1, phone: 2, email: 3, birthday: 4 };
    await scene.call.customerImports.start({ importId, mapping: { columns, dateOrder: 'DMY' } });
  },
};

const run = (scene: CallScene, services: Services, name: string) => {
  const task = tasks(services, messenger, mailer)[name] as unknown as Task;
  return isScheduled(name) ? task({}, { job: { attempts: 1, max_attempts: 1 } }) : drain(scene, name, task);
};
const isScheduled = (name: string) => crontab.split('\n').some((line) => line.includes(` ${name} ?`));

const names = Object.keys(tasks({} as Services, messenger, mailer));
const farAhead = { now: () => addDays(new Date(), 100) };

/** Webhooks are sent outside of the queue: one is accepted, one has failed for days, one is gone. */
const webhooks = async (scene: CallScene, status: number, services: Services = scene.services) => {
  await newDelivery(scene.call);
  const outcome = status < 300 ? ('sent' as const) : status === 410 ? ('refused' as const) : ('retry' as const);
  const send = async () => ({ outcome, status, answer: '', error: null, durationMs: 1 });
  for (const endpoint of await endpointsDue(services)) await deliverBatch(services, { send }, endpoint);
};

/** Runs scheduled tasks, then queued jobs, then scheduled tasks again when everything has expired. */
export const workerCalls: Calls = {
  'webhooks that are accepted': (scene) => webhooks(scene, 200),
  'webhooks that fail': async (scene) => {
    await webhooks(scene, 500);
    await webhooks(scene, 500, { ...scene.services, systemClock: { now: () => addDays(new Date(), 6) } });
  },
  'webhooks to who is gone': (scene) => webhooks(scene, 410),
  ...Object.fromEntries(
    names.map((name) => [
      name,
      async (scene: CallScene) => {
        await before[name]?.(scene);
        await run(scene, scene.services, name);
      },
    ]),
  ),
  ...Object.fromEntries(
    names
      .filter(isScheduled)
      .map((name) => [
        `${name}, long after`,
        (scene: CallScene) => run(scene, { ...scene.services, clock: farAhead, systemClock: farAhead }, name),
      ]),
  ),
};
