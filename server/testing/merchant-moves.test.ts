/** How the database itself handles merchants that are not at home in this cell. */

import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { isBeingMoved, queriesOn, withMerchant, withPerson } from '@/db/driver';
import { fieldsOf } from '@/db/query/expressions';
import { apiKeyByHash, auditPerson, movedTo, recordDeliveryReceipt } from '@/db/query/functions';
import { merchants, stores } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import { hashApiKey } from '../domain/access/api-key';
import { saveApiRequests } from '../domain/access/api-requests';
import { authenticateKey } from '../domain/access/authenticate';
import { newId } from '../domain/kernel/ids';
import { keepReferences } from '../domain/merchants';
import { topUp } from '../domain/top-ups/top-up';
import { createCustomer, createFixedPackage, createMerchant, type TestMerchant, testServices } from './factory';

const database = ownDatabase();
let merchant: TestMerchant;
let other: TestMerchant;

beforeEach(async () => {
  [merchant, other] = [await createMerchant(database.owner), await createMerchant(database.owner)];
});

const states = {
  stopped: { state: 'leaving', stopped_at: new Date() },
  arriving: { state: 'arriving' },
  left: { state: 'left', left_at: new Date() },
};
const notServed = ['arriving', 'left'] as const;
type State = keyof typeof states;
const allStates = Object.keys(states) as State[];

const move = (state: object, { id } = merchant) =>
  database.owner`insert into merchant_moves ${database.owner({ merchant_id: id, cell: 'west', ...state })}`;

const rename = ({ id }: TestMerchant) =>
  withMerchant(database.db, id, ({ db }) =>
    db.update(stores).set({ name: 'Renamed' }).where(eq(stores.merchantId, id)),
  ).then(
    ({ count }) => count,
    (error) => (isBeingMoved(error) ? 'being moved' : String(error)),
  );

describe('a database transaction of a merchant', () => {
  test.each(allStates)('is refused while it is %s; others go on', async (state) => {
    await move(states[state]);
    expect([await rename(merchant), await rename(other)]).toEqual(['being moved', 2]);
  });

  test('goes on while the merchant is leaving and not stopped, and once it is at home again', async () => {
    await move({ state: 'leaving' });
    expect(await rename(merchant)).toBe(2);
    await database.owner`update merchant_moves set stopped_at = now() where merchant_id = ${merchant.id}`;
    expect(await rename(merchant)).toBe('being moved');
    await database.owner`delete from merchant_moves where merchant_id = ${merchant.id}`;
    expect(await rename(merchant)).toBe(2);
  });

  test('that began before the stop is the only one that still writes, and can be waited for', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const early = withMerchant(database.db, merchant.id, async ({ db }) => {
      await db.select({ id: stores.id }).from(stores);
      began();
      await released;
      return db.update(stores).set({ name: 'Late' }).where(eq(stores.merchantId, merchant.id));
    });
    await hasBegun;
    await move(states.stopped);
    const [{ stopped } = {}] = await database.owner`select clock_timestamp()::text as stopped`;
    // As a text: the driver cuts a time to milliseconds.
    const older = () => database.owner`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start < ${stopped}::text::timestamptz`;
    expect(await rename(merchant)).toBe('being moved');
    expect((await older()).length).toBe(1);
    release();
    expect((await early).count).toBe(2);
    expect((await older()).length).toBe(0);
  });
});

test('of the merchants that share a database transaction, only the stopped one is refused', async () => {
  const services = testServices(database.db);
  const tills = await Promise.all(
    [merchant, other, await createMerchant(database.owner), await createMerchant(database.owner)].map(async (one) => {
      const packageId = await createFixedPackage(database.owner, one.id, { amount: 10_000, bonus: 0 });
      const { id: customerId } = await createCustomer(database.owner, one.id);
      const till = await authenticateKey(services, one.stores[0].key);
      return () =>
        topUp(till, { transactionId: newId(), customer: { customerId }, packageId }).then(() => 'done', isBeingMoved);
    }),
  );
  const atOnce = () => Promise.all([...tills, ...tills].map((send) => send()));
  const stopped = [true, 'done', 'done', 'done'];
  await move(states.stopped);
  for (const _ of ['at first', 'again']) expect(await atOnce()).toEqual([...stopped, ...stopped]);
  await database.owner`delete from merchant_moves where merchant_id = ${merchant.id}`;
  expect(new Set(await atOnce())).toEqual(new Set(['done']));
});

describe('a key', () => {
  const find = async (key: string) => {
    const { $rows, merchant } = apiKeyByHash({ keyHash: hashApiKey(key) });
    return (await database.db.pool.select(fieldsOf(merchant, { id: merchants.id })).from($rows)).length;
  };
  const where = async (kind: Parameters<typeof movedTo>[0]['kind'], reference: Buffer) => {
    const { $rows, ...columns } = movedTo({ kind, reference });
    return database.db.pool.select(columns).from($rows);
  };

  test.each(notServed)('opens nothing while the merchant is %s, and says where it is', async (state) => {
    await move(states[state]);
    const found = { merchantId: merchant.id, state, cell: 'west' };
    expect([await find(merchant.key), await find(other.key)]).toEqual([0, 1]);
    expect(await where('apiKey', hashApiKey(merchant.key))).toEqual([found]);
    expect(await where('apiKey', hashApiKey(other.key))).toEqual([]);
    expect(await where('merchant', Buffer.from(merchant.id.replaceAll('-', ''), 'hex'))).toEqual([found]);
  });

  test('is found during the stop: what only reads goes on', async () => {
    await move(states.stopped);
    expect(await find(merchant.key)).toBe(1);
    expect(await where('apiKey', hashApiKey(merchant.key))).toEqual([]);
  });

  test('is known by its hash when the rows of the merchant are gone, unless it had ended', async () => {
    const { owner } = database;
    const [north, south] = merchant.stores;
    await owner`update api_keys set revoked_at = now() where hash = ${hashApiKey(south.key)}`;
    await move(states.left);
    for (const _ of ['once', 'again']) await owner.begin((tx) => keepReferences(queriesOn(tx), merchant.id));
    await owner`delete from api_keys where merchant_id = ${merchant.id}`;
    const found = [{ merchantId: merchant.id, state: 'left', cell: 'west' }];
    expect(await where('apiKey', hashApiKey(north.key))).toEqual(found);
    expect(await where('apiKey', hashApiKey(south.key))).toEqual([]);
    expect(await where('qrCode', hashApiKey(north.key))).toEqual([]);
    // At home again, it leaves no trace.
    await owner`delete from merchant_moves where merchant_id = ${merchant.id}`;
    expect(await owner`select from moved_references where merchant_id = ${merchant.id}`).toHaveLength(0);
  });
});

/** Functions with the owner's rights that need not know of moves, with the reason. */
const unconcerned = {
  has_working_keys: 'whose database it is, whether or not they are served here',
  members_with_second_factor: 'reads, of the tenant of its database transaction',
  revive_lots: 'called in a void, whose database transaction is refused while the merchant is not served',
  works_only_at: 'a merchant that is arriving counts, too',
  staff_password: 'of a person',
  forget_password_resets: 'of a person',
  forget_staff_sessions: 'of a person',
  take_tokens: 'of nobody',
  merchant_of_card_account: 'says whose an account is, which is then asked for where the merchant is',
  purpose_of_payment: 'says whose a payment is, which is then settled where the merchant is',
  find_api_key: 'calls api_key_by_hash',
  staff_session: 'calls session_by_token',
};

test('every function that reads or writes past row-level security knows which merchants are not at home', async () => {
  const functions = await database.owner<{ name: string; source: string }[]>`
    select proname as name, prosrc as source from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;
  const knows = (source: string) => /\b(unserved_merchants|stopped_merchants|merchant_moves)\b/.test(source);
  const unknowing = functions.filter(({ source }) => !knows(source)).map(({ name }) => name);
  expect(unknowing.sort()).toEqual(Object.keys(unconcerned).sort());
});

test('of these functions, those that find what belongs to a merchant or change it skip one that is not served', async () => {
  // A function that writes for merchants must also skip those whose writes are stopped.
  const functions = await database.owner<{ name: string }[]>`
    select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
      and prosrc ~* '(insert into|update|delete from) ' and prosrc !~ 'stopped_merchants|stopped_at'`;
  const writesForNoMerchant = ['forget_password_resets', 'forget_staff_sessions', 'session_by_token', 'take_tokens'];
  expect(functions.map(({ name }) => name).sort()).toEqual([...writesForNoMerchant, 'revive_lots'].sort());
});

describe('what the service writes without a tenant', () => {
  test.each(allStates)('leaves out the log of requests while a merchant is %s', async (state) => {
    const rows = await Promise.all(
      [merchant, other].map(async ({ id }) => {
        const [key] = await database.owner`select id from api_keys where merchant_id = ${id} limit 1`;
        const request = { operation: 'ping', status: 200, errorCode: null, durationMs: 1, createdAt: new Date() };
        return { merchantId: id, apiKeyId: key?.id, id: randomUUID(), ...request };
      }),
    );
    await move(states[state]);
    await saveApiRequests(testServices(database.db), rows);
    const recorded = await database.owner`
      select merchant_id from api_requests where id in ${database.owner(rows.map(({ id }) => id))}`;
    expect(recorded.map(({ merchant_id }) => merchant_id)).toEqual([other.id]);
  });

  test('refuses a receipt for a message of a merchant that is stopped: the messenger sends it again', async () => {
    const provider = randomBytes(8).toString('hex');
    await database.owner`insert into messages ${database.owner({
      merchant_id: merchant.id,
      id: randomUUID(),
      kind: 'code',
      phone: '+6591234567',
      channel: 'whatsapp',
      state: 'sent',
      provider_id: provider,
      updated_at: new Date(),
    })}`;
    const receive = async () => {
      const { $rows, isKnown } = recordDeliveryReceipt({ provider, newState: 'delivered', reason: null });
      return database.db.pool
        .select({ isKnown })
        .from($rows)
        .then(([row]) => row?.isKnown, isBeingMoved);
    };
    await move(states.stopped);
    expect(await receive()).toBe(true);
    const stateNow = async () => (await database.owner`select state from messages where provider_id = ${provider}`)[0];
    expect(await stateNow()).toEqual({ state: 'sent' });
    await database.owner`delete from merchant_moves where merchant_id = ${merchant.id}`;
    expect(await receive()).toBe(true);
    expect(await stateNow()).toEqual({ state: 'delivered' });
  });

  test("writes a person's change to the logs of merchants that are here, and waits for one that is stopped", async () => {
    const person = randomUUID();
    const { owner } = database;
    await owner`insert into users ${owner({ id: person, email: `${person}@example.com`, name: 'P', password_hash: '' })}`;
    for (const { id } of [merchant, other]) {
      await owner`insert into memberships ${owner({ merchant_id: id, user_id: person, role: 'owner' })}`;
    }
    const audit = async () => {
      const { $rows } = auditPerson({ person, byPerson: true, done: 'password.change', details: null, at: new Date() });
      return withPerson(database.db, person, ({ db }) => db.run(sql`select from ${$rows}`)).then(
        () => 'done',
        isBeingMoved,
      );
    };
    const logged = async () =>
      (await owner`select merchant_id from audit_log where actor_id = ${person}`).map(({ merchant_id }) => merchant_id);
    await move(states.stopped);
    expect([await audit(), await logged()]).toEqual([true, []]);
    await owner`update merchant_moves set state = 'arriving', stopped_at = null where merchant_id = ${merchant.id}`;
    expect([await audit(), await logged()]).toEqual(['done', [other.id]]);
  });
});
