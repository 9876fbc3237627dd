/** Every change by staff, by a person with a membership or by a key leaves an entry in the audit log. */
import type { AnyTRPCRouter } from '@trpc/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditRow } from '@/components/back-office/audit-log/audit-words';
import { type FakeStripe, startFakeStripe } from '@/e2e/fixtures/fake-stripe';
import { restApi } from '@/e2e/rest/harness';
import { createStage, operations, performCall, type Stage } from '@/e2e/rest/operations';
import { createOrderingStage, type OrderingStage, orderingOperations } from '@/e2e/rest/ordering-operations';
import { sandboxOperations } from '@/e2e/rest/sandbox-operations';
import { listAuditLog } from '../domain/audit-log';
import { languages } from '../domain/kernel/context';
import { endpoints } from '../rest/endpoints';
import { accountRouter } from '../trpc/account/router';
import { listProcedures } from '../trpc/procedures';
import { staffRouter } from '../trpc/staff/router';
import { auditText } from './audit-texts';
import { accountCalls } from './calls/account';
import { otherCalls } from './calls/elsewhere';
import { type CallScene, createCallScene } from './calls/scene';
import { staffChanges } from './calls/staff-changes';
import { staffLists } from './calls/staff-lists';
import { menuChanges } from './calls/staff-menu';
import { testServices } from './factory';
import { createStaff } from './staff';

/** Procedures that leave no entry, with the reason. */
const unaudited: Record<string, string[]> = {
  'transactions keep their key themselves': [
    ...['topUpStoredValue', 'cashOutStoredValue', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints', 'submitSale'],
  ],
  'only looks': ['vouchers.findRecipients'],
  'changes no data': ['setSandboxFaults'],
  'ends by itself after minutes': ['beginSettling'],
  'of a person, who is no merchant’s': ['requestPasswordReset', 'changeOwnName', 'renamePasskey'],
  'comes before what is recorded itself': [
    ...['newAuthenticator', 'newPasskey', 'confirmWithCode', 'confirmWithPasskey', 'confirmWithPassword'],
  ],
};

const api = restApi({ own: true });
let stripe: FakeStripe;
let scene: CallScene;
let stage: Stage;
let ordering: OrderingStage;
/** The procedures and operations that were called, and those that left an entry. */
const called = new Set<string>();
const audited = new Set<string>();

beforeAll(async () => {
  stripe = await startFakeStripe();
  scene = await createCallScene(api, stripe);
  [stage, ordering] = [await createStage(api), await createOrderingStage(api)];
});
afterAll(() => stripe.stop());

const lines = () => api.owner<{ id: string; action: string; after: string | null }[]>`select * from audit_log`;

/** Runs `work` and returns the new audit entries, except those of its preparation, `prepares`. */
async function newEntries<Answer>(name: string, work: () => Promise<Answer>, prepares: string[] = []) {
  const before = new Set((await lines()).map(({ id }) => id));
  const answer = await work();
  called.add(name);
  const left = (await lines()).filter(({ id, action }) => !before.has(id) && !prepares.includes(action));
  if (left.length > 0) audited.add(name);
  return { answer, left };
}

type Call = (input: unknown) => Promise<unknown>;
type Caller = { [name: string]: Caller } & Call;

/** Wraps the procedures so that the audit entries of each successful call are counted. */
const countEntries = (caller: Caller, name = ''): Caller =>
  new Proxy(caller, {
    get: (_, key) => countEntries(caller[String(key)] as Caller, name ? `${name}.${String(key)}` : String(key)),
    apply: async (_, __, [input]) => (await newEntries(name, () => caller(input))).answer,
  });

const mutationsOf = (router: AnyTRPCRouter) =>
  listProcedures(router)
    .filter(({ type }) => type === 'mutation')
    .map(({ path }) => path);
const changes = { ...staffLists, ...staffChanges, ...menuChanges };
const posWrites = endpoints.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);

test.each(mutationsOf(staffRouter))('%s', async (name) => {
  // Ends running jobs, because a job in progress would not start again.
  await api.owner`update job_runs set ended_at = now() where ended_at is null`;
  const call = countEntries(scene.call as unknown as Caller) as unknown as CallScene['call'];
  await changes[name]?.({ ...scene, call });
});

test.each(mutationsOf(accountRouter))('%s', async (name) => {
  await newEntries(name, async () => accountCalls[name]?.(scene), [
    'staff.invite',
    ...(name.startsWith('finishSignIn') ? [] : ['staff.signIn']),
    ...(name.startsWith('add') ? [] : ['staff.addSecondFactor']),
  ]);
});

test.each(posWrites)('%s, with what the till reported', async (name) => {
  const { key } = operations[name] ? stage : ordering;
  const call =
    sandboxOperations[name] ?? (await (operations[name]?.(stage) ?? orderingOperations[name]?.(api, ordering)));
  if (!call) throw new Error('there is no call of it');
  const occurredAt = new Date(Date.now() - 60_000).toISOString();
  const isOfTill = !/^\/(sandbox|webhook-endpoints)/.test(call.path);
  const said = isOfTill ? { staffId: 'S-1', receiptNumber: 'R-1', occurredAt } : {};
  const { answer, left } = await newEntries(name, () =>
    performCall(api, key, { ...call, body: { ...call.body, ...said } }),
  );
  expect(answer.status, answer.text).toBe(200);
  for (const { after } of left) expect(JSON.parse(after ?? '{}')).toMatchObject(said);
});

test.each(Object.keys(otherCalls).filter((name) => /^(file of|sign-|key )/.test(name)))('%s', async (name) => {
  const prepares = name === 'sign-out' ? ['staff.signIn'] : [];
  const { left } = await newEntries(name, async () => otherCalls[name]?.(scene), prepares);
  expect(left.length > 0).toBe(name !== 'sign-in of nobody');
});

test('every procedure and operation is covered', () => {
  const all = [...mutationsOf(staffRouter), ...mutationsOf(accountRouter), ...posWrites];
  expect(all.filter((name) => !called.has(name))).toEqual([]);
  expect(all.filter((name) => !audited.has(name)).sort()).toEqual(Object.values(unaudited).flat().sort());
});

test.each(languages)('in %s, no entry shows an id, JSON, a code or a time in UTC', async (language) => {
  const merchants = await api.owner<{ id: string }[]>`select distinct merchant_id id from audit_log`;
  const texts: string[] = [];
  for (const { id } of merchants) {
    const owner = await createStaff(api.owner, testServices(api.db), id, 'owner');
    const { items } = await listAuditLog(owner, { limit: 1_000 });
    // As a browser receives them.
    const rows: AuditRow[] = JSON.parse(JSON.stringify(items));
    texts.push(...rows.map((row) => auditText(row, language)));
  }
  const raw = /[0-9a-f]{8}-|…[0-9a-f]{6}|[{}[\]"]|\b[a-zA-Z]+[a-z][A-Z]|\d{4}-\d\d|\b(null|undefined|true|false|NaN)\b/;
  // Texts that a test's till and staff typed.
  const given = /\bt-[-\d]+|\S+@example\.com/g;
  expect(texts.filter((text) => raw.test(text.replace(given, '')))).toEqual([]);
  expect(texts.length).toBeGreaterThan(100);
  // The reasons for adjusting, blocking, cancelling and voiding.
  for (const reason of ['Goodwill', 'Fraud', 'By mistake', 'Rung up twice']) {
    expect(
      texts.filter((text) => text.includes(reason)),
      reason,
    ).not.toEqual([]);
  }
});
