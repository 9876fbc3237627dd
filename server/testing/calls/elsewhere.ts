/** Everything outside of procedures: exports, pages, webhooks, and the service's own queries. */
import { formatISO } from 'date-fns';
import { expect, vi } from 'vitest';
import { movedKinds } from '@/db/kinds/lists';
import { movedTo } from '@/db/query/functions';
import { billPaymentsExport } from '@/server/csv/bill-payments';
import { exports } from '@/server/csv/exports';
import { ordersExport } from '@/server/csv/orders';
import { recordedExport } from '@/server/csv/recorded';
import { toCsv } from '@/server/csv/write';
import { authenticateKey, checkScope } from '@/server/domain/access/authenticate';
import { addPasskey, newPasskey, requestPasskey } from '@/server/domain/access/passkeys';
import { signInWithPasskey } from '@/server/domain/access/second-step';
import { signOut } from '@/server/domain/access/sessions';
import { signIn } from '@/server/domain/access/sign-in';
import { followReport } from '@/server/domain/card-payments';
import { optPhoneOut } from '@/server/domain/customers/opt-out';
import { getCardPage } from '@/server/domain/floor/card-page';
import { newCardToken } from '@/server/domain/floor/card-token';
import { newId } from '@/server/domain/kernel/ids';
import { listSandboxMails } from '@/server/domain/mail/sandbox-inbox';
import { readPhoto } from '@/server/domain/menu/photos';
import { recordReceipt } from '@/server/domain/messaging/deliver';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';
import { checkDatabase, readiness } from '@/server/process/readiness';
import { newDevice } from '../passkey-device';
import { createPerson, newBrowser, password, personOf, sessionOf } from '../people';
import { openCard, openTable } from './diner';
import type { CallScene, Calls } from './scene';
import { uploadFile } from './staff-customers';
import { someKey } from './staff-lists';

const today = formatISO(new Date(), { representation: 'date' });
const days = { from: today, until: today };
const period = { from: today, to: today };

/** The query of each file's URL. */
const queries: Record<string, (scene: CallScene) => Promise<Record<string, string>> | Record<string, string>> = {
  'api-requests': async ({ call }) => ({ apiKeyId: await someKey(call), outcome: 'succeeded' }),
  'audit-log': ({ staff }) => ({ actor: staff.staff.userId, ...days }),
  'bill-payments': ({ storeId }) => ({ storeId, ...days }),
  'cash-up': ({ storeId }) => ({ storeId, day: period.to }),
  'cash-ups': ({ storeId }) => ({ storeId, day: period.to }),
  customers: () => ({ search: 'ada', holdsValue: 'true', ...days }),
  'customer-import-problems': async (scene) => ({ ...(await uploadFile(scene)), language: 'en' }),
  'customer-import-rehearsal': async (scene) => ({
    ...(await uploadFile(scene)),
    language: 'en',
    mapping: JSON.stringify({ columns: { phone: 0 }, dateOrder: 'DMY' }),
  }),
  messages: () => ({ state: 'failed', ...days }),
  orders: ({ storeId }) => ({ storeId, ...days }),
  'report-breakdown': ({ storeId }) => ({ ...period, storeId, by: 'item' }),
  'report-balances': () => ({ day: period.to }),
  'qr-codes': ({ storeId }) => ({ storeId, status: 'all' }),
  transactions: ({ storeId }) => ({ storeId, type: 'sale', ...days }),
  vouchers: ({ ordering: { campaignId } }) => ({ campaignId, state: 'unused' }),
};

const files = Object.entries(exports).map(([name, file]): [string, Calls[string]] => [
  `file of ${name}`,
  async (scene) => {
    const query = (await queries[name]?.(scene)) ?? period;
    await new Response(
      await recordedExport(scene.staff, name, toCsv, (write) => file.open(scene.staff, query, write)),
    ).text();
  },
]);

export const otherCalls: Calls = {
  ...Object.fromEntries(files),
  'file of orders of all stores': async ({ staff }) =>
    new Response(await recordedExport(staff, 'orders', toCsv, (write) => ordersExport.open(staff, days, write))).text(),
  'file of card payments of all stores': async ({ staff }) =>
    new Response(
      await recordedExport(staff, 'bill-payments', toCsv, (write) => billPaymentsExport.open(staff, days, write)),
    ).text(),
  'page of a table': async (scene) => {
    const { visit } = await openTable(scene);
    await getTablePage(scene.services, visit, 'en');
    await getTablePage(scene.services, { ...visit, token: 'A'.repeat(22) }, 'en');
  },
  'page of a card': async (scene) => {
    const { visit } = await openCard(scene);
    await getCardPage(scene.services, visit, 'en');
    await getCardPage(scene.services, { ...visit, token: 'A'.repeat(22) }, 'en');
    const { tables } = await scene.call.tables.list({ storeId: scene.storeId });
    const quiet = tables.find(({ visits }) => visits.length === 0)?.tableId;
    const id = quiet ?? (await scene.call.tables.add({ storeId: scene.storeId, names: 'Quiet' })).tableIds[0] ?? '';
    const token = newCardToken(scene.services.tokenKey, { id, cardNumber: 1 });
    await getCardPage(scene.services, { ...visit, token }, 'en');
    // As opened by a phone that used the card.
    const page = await getCardPage(scene.services, visit, 'en');
    if (page.state === 'bill') await getTablePage(scene.services, { ...visit, token: page.path.slice(3) }, 'en');
  },
  'sign-in of nobody': ({ services }) =>
    signIn(services, newBrowser(), { email: 'nobody@example.com', password: 'a guess' }),
  'sign-in of somebody': async ({ services, sql, merchant }) => {
    const { userId, email } = await createPerson(sql);
    await sql`insert into memberships (merchant_id, user_id, role) values (${merchant.id}, ${userId}, 'cashier')`;
    const entries = () => sql`select from audit_log where subject_id = ${userId} and action = 'staff.signInRefused'`;
    await signIn(services, newBrowser({ userAgent: 'Chrome/142 (Windows)' }), { email, password: 'a guess' });
    // The request is recorded after its response.
    await vi.waitFor(async () => expect(await entries()).toHaveLength(1), 40_000);
    await signIn(services, newBrowser({ userAgent: 'Chrome/142 (Windows)' }), { email, password });
  },
  'key that was revoked': async ({ services, call }) => {
    const { apiKeyId, key } = await call.apiKeys.create({ name: 'Old till', storeId: null });
    await call.apiKeys.revoke({ apiKeyId });
    await authenticateKey(services, key).catch(() => {});
  },
  'key outside its networks': async ({ services, call }) => {
    const access = { networks: ['203.0.113.0/24'] };
    const { key } = await call.apiKeys.create({ name: 'Till at home', storeId: null, ...access });
    await authenticateKey(services, key, '198.51.100.7').catch(() => {});
  },
  'key outside its scope': async ({ services, call }) => {
    const { key } = await call.apiKeys.create({ name: 'Screen', storeId: null, scopes: [] });
    await checkScope(services, await authenticateKey(services, key), 'loyalty').catch(() => {});
  },
  'sign-in with a passkey': async ({ services, sql, merchant }) => {
    const { userId } = await createPerson(sql);
    await sql`insert into memberships (merchant_id, user_id, role) values (${merchant.id}, ${userId}, 'cashier')`;
    const [person, device] = [await personOf(services, userId), newDevice()];
    await addPasskey(services, newBrowser(), person, { response: device.create(await newPasskey(services, person)) });
    await signInWithPasskey(services, newBrowser(), device.prove(await requestPasskey(services)));
  },
  'sign-out': async ({ services, staff: { staff } }) =>
    signOut(services, { userId: staff.userId, token: await sessionOf(services, staff.userId) }),
  'key, code, photo or person of a merchant that is elsewhere': async ({ services }) => {
    for (const kind of [...movedKinds, 'merchant'] as const) {
      const { $rows, cell } = movedTo({ kind, reference: Buffer.alloc(16) });
      await services.db.pool.select({ cell }).from($rows);
    }
  },
  'photo of the menu': ({ services }) => readPhoto(services, { photoId: newId(), size: '160' }),
  'receipt of a message': ({ services }) =>
    recordReceipt(services, { providerId: newId(), state: 'delivered', failure: null }),
  'report of an account': ({ services }) => followReport(services, { changedAccountId: 'acct_unknown' }),
  'report of a payment': ({ services }) =>
    followReport(services, {
      told: null,
      paymentId: 'pi_unknown',
      accountId: null,
      checkoutId: undefined,
      isOfDispute: false,
    }),
  'reply of STOP': ({ services, customer }) => optPhoneOut(services, customer.phone),
  'inbox of a sandbox': ({ services }) => listSandboxMails(services),
  readiness: async ({ services }) => {
    await readiness(services.db);
    await checkDatabase(services);
  },
};
