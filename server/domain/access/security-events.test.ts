/** Security events in the audit log and in the log, neither of which an attacker can fill. */
import { TRPCError } from '@trpc/server';
import { afterEach, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { secretsIn } from '@/db/testing/secrets';
import { recordedExport } from '@/server/csv/recorded';
import { storesExport } from '@/server/csv/stores';
import { toCsv } from '@/server/csv/write';
import { processLog } from '@/server/observe/log';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createPerson, newBrowser, password, sessionOf } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { changeOwnPassword, signOutEverywhere } from './account';
import { authenticateKey } from './authenticate';
import { logUnknownKey } from './security-events';
import { endOtherSessions, findStaff, signOut } from './sessions';
import { signIn } from './sign-in';

const database = sharedDatabase();
const services = () => testServices(database.db);

afterEach(() => void vi.restoreAllMocks());

/** Collects the log's security lines from now on. */
function keepLines() {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(processLog(), 'info').mockImplementation((line) => void lines.push(line as never));
  return lines;
}

/** A member of two merchants. */
async function member() {
  const person = await createPerson(database.owner);
  const merchants = [await createMerchant(database.owner), await createMerchant(database.owner)];
  for (const { id } of merchants) {
    await database.owner`insert into memberships (merchant_id, user_id, role) values (${id}, ${person.userId}, 'cashier')`;
  }
  return { ...person, merchantIds: merchants.map(({ id }) => id) };
}

interface Entry {
  action: string;
  actor_id: string | null;
  after: string | null;
  created_at: Date;
  id: string;
}
const entriesOf = (merchantId = '') =>
  database.owner<Entry[]>`select * from audit_log where merchant_id = ${merchantId} order by id`;
const actionsOf = async (merchantId = '') => (await entriesOf(merchantId)).map(({ action }) => action);

test('sign-ins, sign-outs, ended sessions and new passwords are in the log of each merchant of the person', async () => {
  const lines = keepLines();
  const { userId, email, merchantIds } = await member();
  const browser = newBrowser({ client: '203.0.113.9', userAgent: 'Chrome/142 (Windows)' });
  const session = await signIn(services(), browser, { email, password });
  const token = session?.token ?? '';
  await signOut(services(), { userId, token });
  await signOut(services(), { userId, token });
  await sessionOf(services(), userId);
  const person = await findStaff(services(), await sessionOf(services(), userId));
  if (!person) throw new Error('not signed in');
  await endOtherSessions(services(), person);
  await endOtherSessions(services(), person);
  await changeOwnPassword(services(), browser, person, {
    presentPassword: password,
    newPassword: 'quite another phrase',
  });
  await signOutEverywhere(services(), newBrowser(), person);
  for (const merchantId of merchantIds) {
    expect(await actionsOf(merchantId)).toEqual([
      ...['staff.signIn', 'staff.signOut', 'staff.signIn', 'staff.signIn'],
      ...['staff.endSessions', 'staff.changePassword', 'staff.endSessions'],
    ]);
    const [first] = await entriesOf(merchantId);
    expect(first).toMatchObject({ actor_id: userId });
    expect(JSON.parse(first?.after ?? '')).toEqual({ browser: 'Chrome · Windows', network: '203.0.113.0/24' });
    const ended = (await entriesOf(merchantId)).filter(({ action }) => action === 'staff.endSessions');
    expect(ended.map(({ after }) => JSON.parse(after ?? ''))).toEqual([{ sessions: 'others' }, { sessions: 'all' }]);
  }
  expect(lines.map(({ security }) => security)).toEqual([
    ...['staff.signed_in', 'staff.signed_out', 'staff.signed_in', 'staff.signed_in'],
    ...['staff.sessions_ended', 'staff.password_changed', 'staff.sessions_ended'],
  ]);
  const text = JSON.stringify(lines);
  expect(secretsIn(text)).toEqual([]);
  for (const secret of [email, token, 'Test person']) expect(text).not.toContain(secret);
});

test('an entry has the merchant’s time, and an id of that time', async () => {
  const { userId, merchantIds } = await member();
  await database.owner`update merchants set clock_ahead_seconds = 86400 where id = ${merchantIds[0] ?? ''}`;
  await sessionOf(services(), userId);
  const [entry] = await entriesOf(merchantIds[0]);
  const ahead = (entry?.created_at.getTime() ?? 0) - Date.now();
  expect(Math.abs(ahead - 86_400_000)).toBeLessThan(60_000);
  expect(Number.parseInt(entry?.id.replace('-', '').slice(0, 12) ?? '', 16)).toBe(entry?.created_at.getTime());
  expect(entry?.id[14]).toBe('7');
});

test('of refused sign-ins of an hour, the first, tenth and hundredth are recorded, also by the log', async () => {
  const lines = keepLines();
  const { userId, email, merchantIds } = await member();
  const guess = (client: string, address = email) =>
    signIn(services(), newBrowser({ client }), { email: address, password: 'a guess' }).catch(() => null);
  for (let at = 1; at <= 10; at++) await guess('203.0.113.20');
  // Beyond the limit, passwords are not checked.
  await Promise.all(Array.from({ length: 95 }, () => guess('203.0.113.20')));
  const refused = async () =>
    (await entriesOf(merchantIds[0])).map(({ action, after }) => [action, JSON.parse(after ?? '').attempts]);
  const expected = [1, 10, 100].map((attempts) => ['staff.signInRefused', attempts]);
  await vi.waitFor(async () => expect(await refused()).toEqual(expected), 40_000);
  expect((await entriesOf(merchantIds[0])).map(({ actor_id }) => actor_id)).toEqual([null, null, null]);
  expect(lines).toMatchObject([
    { security: 'staff.sign_in_refused', userId, reason: 'password', network: '203.0.113.0/24', attempts: 1 },
    { userId, attempts: 10 },
    { userId, reason: 'throttled', attempts: 100 },
  ]);
  // An unknown address leaves a line for its network.
  for (let at = 1; at <= 9; at++) await guess('198.51.9.9', `nobody-${at}-${email}`);
  await vi.waitFor(() => expect(lines).toHaveLength(4), 40_000);
  expect(lines[3]).toMatchObject({ userId: null, network: '198.51.9.0/24', attempts: 1 });
});

test('a key that no longer works is recorded for its merchant when it is used, and does not fill the log', async () => {
  const lines = keepLines();
  const { id, key } = await createMerchant(database.owner);
  await database.owner`update api_keys set revoked_at = now() where merchant_id = ${id}`;
  const attempts = Array.from({ length: 30 }, () => authenticateKey(services(), key).catch(({ code }) => code));
  expect(new Set(await Promise.all(attempts))).toEqual(new Set(['invalid_api_key']));
  // Both were recorded at the same time, in either order.
  const recorded = (await entriesOf(id)).map(({ action, actor_id, after }) => [action, actor_id, after]).sort();
  expect(recorded).toEqual([
    ['apiKey.refused', null, '{"attempts":10}'],
    ['apiKey.refused', null, '{"attempts":1}'],
  ]);
  expect(lines).toHaveLength(2);
  for (const attempts of [1, 10]) {
    expect(lines).toContainEqual(expect.objectContaining({ security: 'api_key.refused', merchantId: id, attempts }));
  }
  for (let at = 0; at < 5; at++) await logUnknownKey(services(), '198.51.8.8');
  expect(lines.slice(2)).toEqual([
    { security: 'api_key.refused', apiKeyId: null, merchantId: null, network: '198.51.8.0/24', attempts: 1 },
  ]);
});

test('an export is recorded with its rows, also when it is cancelled', async () => {
  const lines = keepLines();
  const merchant = await createMerchant(database.owner);
  const staff = await createStaff(database.owner, services(), merchant.id);
  await database.owner`update stores set name = ${'two\n"lines"'} where merchant_id = ${merchant.id} and store_code = 'NORTH'`;
  const open = () => recordedExport(staff, 'stores', toCsv, (write) => storesExport.open(staff, {}, write));
  expect(await new Response(await open()).text()).toContain('two\n""lines""');
  await (await open()).cancel();
  const entries = await entriesOf(merchant.id);
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual(
    Array(2).fill(['export.download', staff.staff.userId]),
  );
  expect(entries[0]).toMatchObject({ subject_kind: 'export', subject_id: 'stores', after: '{"rows":2}' });
  expect(lines[0]).toEqual({
    security: 'export.downloaded',
    merchantId: merchant.id,
    userId: staff.staff.userId,
    list: 'stores',
    rows: 2,
  });
});

test('of calls that a role does not permit, the first and the tenth are in the log, whatever was called', async () => {
  const lines = keepLines();
  const { id } = await createMerchant(database.owner);
  const cashier = await createStaff(database.owner, services(), id, 'cashier');
  await callAs(cashier).stores.list();
  for (let at = 1; at <= 9; at++) await expect(callAs(cashier).staff.list()).rejects.toThrow(TRPCError);
  await expect(callAs(cashier).packages.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const { userId } = cashier.staff;
  const refusal = { security: 'staff.role_refused', userId, merchantId: id, role: 'cashier' };
  expect(lines).toEqual([
    { ...refusal, call: 'staff.list', attempts: 1 },
    { ...refusal, call: 'packages.list', attempts: 10 },
  ]);
});
