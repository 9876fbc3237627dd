/** `DATA_SECRET` is replaced step by step (docs/operations.md) while everything that it protects is in use. */

import { createHmac } from 'node:crypto';
import { eq, getTableName } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { withMerchant, withPerson } from '@/db/driver';
import { only } from '@/db/query/queries';
import { webhookEndpoints } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import { openPhone } from '@/server/testing/diners';
import { createCustomer, createFixedPackage, testSecret, testServices } from '@/server/testing/factory';
import { addApp, codeOf, createPerson, lettersTo, newBrowser, password, personOf } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { createTables, openTable } from '@/server/testing/tables';
import { authenticateKey } from '../access/authenticate';
import { knownDevice } from '../access/devices';
import { openResetRequest, requestPasswordReset } from '../access/password-reset';
import { addAuthenticator, consumeCode, newAuthenticator } from '../access/second-factors';
import { signIn } from '../access/sign-in';
import { forgetPin } from '../customers/forget-pin';
import { checkPin } from '../identity';
import type { Services } from '../kernel/context';
import { newId } from '../kernel/ids';
import { deriveKeys, openSecret } from '../kernel/secrets';
import { queueMail } from '../mail';
import { findCode } from '../qr-ordering';
import { generateQrCode } from '../qr-ordering/qr-codes';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { openSecrets } from '../webhooks/endpoints';
import { resealSecrets, sealedColumns } from './reseal';

const replacing = 'the new secret of tests, as long as it has to be';
const steps = {
  before: deriveKeys(testSecret),
  accepted: deriveKeys(testSecret, replacing),
  swapped: deriveKeys(replacing, testSecret),
  after: deriveKeys(replacing),
};
type Step = keyof typeof steps;

const database = ownDatabase();
let tables: Awaited<ReturnType<typeof createTables>>;

beforeEach(async () => {
  tables = await createTables(database);
  await database.owner`update merchants set pin_required = true where id = ${tables.merchant.id}`;
});

const servicesIn = (step: Step): Services => ({ ...testServices(database.db), ...steps[step] });
const tillIn = (step: Step) => authenticateKey(servicesIn(step), tables.merchant.stores[0].key);
const resealAll = async () => {
  const found = await resealSecrets(database.owner, steps.swapped);
  return Object.fromEntries(found.map(({ what, left }) => [what, left]));
};

/** Returns the outcome of a right PIN, the code of a refusal, or `fault` for a fault of ours. */
const give = async (step: Step, customerId: string, pin: string) =>
  checkPin(await tillIn(step), { customerId, pinLockedUntil: null }, pin).then(
    () => 'right',
    ({ code = 'fault' }) => code,
  );
const pinSentTo = async (step: Step, customerId: string) => {
  const [row] =
    await database.owner`select id, secret from messages where customer_id = ${customerId} order by id desc`;
  return openSecret(servicesIn(step).messageKey, row?.id, row?.secret);
};
/** Ends bills and requests, as time would. */
const endWhatEndsByItself = () => database.owner`
  with codes as (update qr_codes set expires_at = now()), jobs as (delete from graphile_worker._private_jobs) select`;

/** Returns how many values of a column begin with the id of the old key. */
const countNamingOldKey = async () => {
  const id = steps.before.pinKey[0].id;
  const columns = await database.owner`
    select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`;
  const counts = columns.map(
    ({ table_name: table, column_name: column }) => database.owner`
      select ${table} as table, count(*)::int from ${database.owner(table)}
      where substring(${database.owner(column)} from 1 for 4) = ${id}`,
  );
  const rows = (await Promise.all(counts)).flat();
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ table, count }) => [table, count]));
};

describe('in every step of the rotation', () => {
  test('what was stored before is used, and what is stored then is used in the next one', async () => {
    const { owner } = database;
    const { merchant } = tables;
    const ann = await createCustomer(owner, merchant.id, { pin: '4831' });
    const early = await createCustomer(owner, merchant.id);
    const hash = createHmac('sha256', steps.before.pinKey[0].bytes).update(`${early.id}:7702`).digest();
    await owner`insert into customer_pins ${owner({ merchant_id: merchant.id, customer_id: early.id, hash })}`;
    const table = await openTable({ ...tables, till: await tillIn('before') });
    const billId = newId();
    const { url } = await generateQrCode(await tillIn('before'), { billId });
    const { email, userId } = await createPerson(owner);
    const browser = newBrowser();
    await signIn(servicesIn('before'), browser, { email, password });
    const person = { userId, sessionVersion: 1 };
    const { userId: withApp } = await createPerson(owner);
    const { secret } = await addApp(servicesIn('before'), await personOf(servicesIn('before'), withApp));
    const withCode = (step: Step, steps: number) =>
      withPerson(database.db, withApp, ({ db }) =>
        consumeCode(db, servicesIn(step), { userId: withApp, code: codeOf(servicesIn(step), secret, steps) }),
      );
    const resetBy = async (step: Step) => {
      await requestPasswordReset(servicesIn(step), newBrowser({ client: `198.51.100.${step.length}` }), {
        email,
        language: 'en',
      });
      const [job] = await owner`select payload from graphile_worker._private_jobs order by id desc limit 1`;
      return job?.payload.request as string;
    };
    const resets = [await resetBy('before')];
    const letter = { kind: 'passwordChanged', language: 'en', name: 'Ann', url: 'http://localhost' } as const;
    await queueMail(database.db.pool, servicesIn('before'), { recipient: email, letter });
    const phones = [];

    for (const step of ['before', 'accepted', 'swapped'] as const) {
      const services = servicesIn(step);
      const till = await tillIn(step);
      expect([await give(step, ann.id, '4831'), await give(step, early.id, '7702')]).toEqual(['right', 'right']);
      expect(await give(step, ann.id, '4832')).toBe('pin_invalid');
      // Instances of the next step read what this step writes, and the other way round, while instances restart.
      const other = step === 'before' ? 'accepted' : step === 'accepted' ? 'swapped' : 'accepted';
      const bob = await createCustomer(owner, merchant.id);
      await forgetPin(till, { customer: { customerId: bob.id } });
      expect(await give(other, bob.id, await pinSentTo(other, bob.id))).toBe('right');
      const phone = openPhone(services, merchant.id);
      await phone.api.identity.requestCode({ phone: bob.phone });
      const signedIn = openPhone(servicesIn(other), merchant.id);
      await signedIn.api.identity.verifyCode({ phone: bob.phone, code: await pinSentTo(other, bob.id) });
      phones.push(signedIn.cookies);
      expect((await generateQrCode(till, { billId })).url).toBe(url);
      expect(await findCode(services, table.visit)).toMatchObject({ qrCodeId: table.qrCodeId });
      expect((await lettersTo(services, email)).some(({ kind }) => kind === 'passwordChanged')).toBe(true);
      for (const request of resets) expect(openResetRequest(services, request)).toMatchObject({ email });
      resets.push(await resetBy(step));
      expect(knownDevice(services, browser, person)).not.toBeNull();
    }

    await signIn(servicesIn('swapped'), browser, { email, password });
    expect(await withCode('swapped', 0)).toBe('authenticator');
    const left = await resealAll();
    expect(left).toMatchObject({ PINs: 0, 'Messages to customers': 0, 'Mails to staff': 0, 'Open QR codes': 2 });
    expect(left['Requests for password resets']).toBeGreaterThan(0);
    await endWhatEndsByItself();
    expect(Object.values(await resealAll())).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await countNamingOldKey()).toEqual({});
    expect(await withCode('after', 1)).toBe('authenticator');

    expect([await give('after', ann.id, '4831'), await give('after', early.id, '7702')]).toEqual(['right', 'right']);
    expect(await give('after', ann.id, '4832')).toBe('pin_invalid');
    expect((await lettersTo(servicesIn('after'), email)).some(({ kind }) => kind === 'passwordChanged')).toBe(true);
    expect(knownDevice(servicesIn('after'), browser, person)).not.toBeNull();
    for (const cookies of phones) {
      const phone = openPhone(servicesIn('after'), merchant.id);
      for (const cookie of cookies) phone.cookies.set(...cookie);
      expect((await phone.api.account.get()).customer.hasPin).toBe(true);
    }
    // The old secret is now worthless. A service that has only the old one counts no guess against anyone.
    for (let at = 0; at < 6; at++) expect(await give('before', ann.id, '4831')).toBe('fault');
    expect(await give('after', ann.id, '4831')).toBe('right');
  });
});

test('an authenticator app whose QR code was shown before the swap is stored with the new key', async () => {
  const { userId } = await createPerson(database.owner);
  const person = await personOf(servicesIn('before'), userId);
  const { secret, sealed } = newAuthenticator(servicesIn('accepted'), person);
  const code = codeOf(servicesIn('swapped'), secret);
  await addAuthenticator(servicesIn('swapped'), person, { sealed, code });
  const entered = codeOf(servicesIn('after'), secret, 1);
  const consumed = withPerson(database.db, userId, ({ db }) =>
    consumeCode(db, servicesIn('after'), { userId, code: entered }),
  );
  expect(await consumed).toBe('authenticator');
});

test('webhooks are signed with the same secrets before, during and after it', async () => {
  const owner = await createStaff(database.owner, servicesIn('before'), tables.merchant.id);
  const { webhooks } = callAs(owner);
  const { endpointId, secret: old } = await webhooks.create({
    url: 'https://hooks.example.com',
    description: '',
    eventTypes: null,
  });
  const { secret } = await webhooks.rotateSecret({ endpointId });
  const secretsIn = async (step: Step) =>
    withMerchant(database.db, tables.merchant.id, async (tx) => {
      const rows = await tx.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
      return openSecrets(servicesIn(step), only(rows));
    });
  for (const step of ['before', 'accepted', 'swapped'] as const) expect(await secretsIn(step)).toEqual([secret, old]);
  await resealAll();
  expect(await secretsIn('after')).toEqual([secret, old]);
});

describe('resealing', () => {
  test('refuses no till: PINs are checked, set and sent, and tables opened, while two runs are at work', async () => {
    const { owner } = database;
    const { merchant } = tables;
    const packageId = await createFixedPackage(owner, merchant.id, { amount: 100_000, bonus: 0 });
    const customers = await Promise.all(
      Array.from({ length: 250 }, () => createCustomer(owner, merchant.id, { pin: '4831' })),
    );
    const payers = customers.filter((_, at) => at % 25 === 0);
    const table = await openTable({ ...tables, till: await tillIn('before') });
    const till = await tillIn('swapped');
    for (const { id: customerId } of payers) {
      await topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
    }
    const answers: string[] = [];
    let isSealing = true;
    const work = async (at: number) => {
      const { id: customerId } = payers[at % payers.length] as (typeof payers)[number];
      do {
        const { status } = await redeemStoredValue(till, {
          transactionId: newId(),
          customer: { customerId },
          amount: 100,
          pin: '4831',
        });
        await generateQrCode(till, { billId: `bill ${at}` });
        const found = await findCode(servicesIn('accepted'), table.visit);
        answers.push(status, found?.qrCodeId === table.qrCodeId ? 'found' : 'lost');
      } while (isSealing);
    };
    const forgetful = customers.slice(1, 20);
    const forget = async () => {
      for (const { id: customerId } of forgetful) await forgetPin(till, { customer: { customerId } });
    };
    const working = [...Array.from({ length: 8 }, (_, at) => work(at)), forget()];
    const runs = await Promise.all([resealAll(), resealAll()]);
    isSealing = false;
    await Promise.all(working);
    expect(runs).toHaveLength(2);
    expect([...new Set(answers)].sort()).toEqual(['completed', 'found']);

    expect(await resealAll()).toMatchObject({ PINs: 0, 'Messages to customers': 0 });
    const kept = [...payers, ...customers.slice(-50)].map(({ id }) => give('after', id, '4831'));
    const sent = forgetful.map(async ({ id }) => give('after', id, await pinSentTo('after', id)));
    expect(new Set(await Promise.all([...kept, ...sent]))).toEqual(new Set(['right']));
  });

  test('waits for no row in use, says that it is left, and is finished by the next run', async () => {
    const { id } = await createCustomer(database.owner, tables.merchant.id, { pin: '4831' });
    await database.owner.begin(async (sql) => {
      await sql`select from customer_pins where customer_id = ${id} for update`;
      expect(await resealAll()).toMatchObject({ PINs: 1 });
    });
    expect(await resealAll()).toMatchObject({ PINs: 0 });
    expect(await give('after', id, '4831')).toBe('right');
  });

  test('leaves what neither secret opens as it was, and says so', async () => {
    const { id } = await createCustomer(database.owner, tables.merchant.id, { pin: '4831' });
    const lost = deriveKeys('a secret of tests that nobody has any more');
    const found = await resealSecrets(database.owner, lost);
    expect(found.find(({ what }) => what === 'PINs')?.left).toBeGreaterThan(0);
    expect(await give('before', id, '4831')).toBe('right');
  });

  test('changes nothing where the old secret is mistyped and PINs of an earlier release would be lost', async () => {
    const { owner } = database;
    const { id } = await createCustomer(owner, tables.merchant.id);
    const hash = createHmac('sha256', steps.before.pinKey[0].bytes).update(`${id}:7702`).digest();
    await owner`insert into customer_pins ${owner({ merchant_id: tables.merchant.id, customer_id: id, hash })}`;
    await expect(resealSecrets(owner, deriveKeys(replacing, `${testSecret}s`))).rejects.toThrow('Nothing was changed');
    expect(await give('swapped', id, '7702')).toBe('right');
    expect(await resealAll()).toMatchObject({ PINs: 0 });
    expect(await give('after', id, '7702')).toBe('right');
  });

  test('knows every column that holds bytes: as sealed, or as something that needs no key', async () => {
    const others = [
      'api_keys.hash', // of 30 random characters
      ...['diner_sessions.token_hash', 'staff_sessions.token_hash', 'invitations.token_hash', 'qr_codes.token_hash'],
      'dining_tables.token_hash',
      ...['password_resets.token_hash', 'recovery_codes.code_hash'],
      ...['passkeys.credential_id', 'passkeys.public_key'],
      ...['transactions.request_hash', 'bills.request_hash'],
      'moved_references.reference', // hashes of keys and tokens, and ids
      ...['menu_photos.hash', 'menu_photos.small', 'menu_photos.large'],
    ];
    const columns = await database.owner`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`;
    const sealed = sealedColumns.map(({ table, column }) => `${getTableName(table)}.${column.name}`);
    expect(columns.map(({ name }) => name).sort()).toEqual([...sealed, ...others].sort());
  });
});
