/**
 * A diner of one merchant and another merchant's ids: calls every procedure for phones with every id in its input
 * replaced by the other merchant's. Its cases must name every procedure that takes an id.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { newVoucherCode } from '@/server/domain/kernel/voucher-code';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { openPhone, signIn, type TestPhone } from '@/server/testing/diners';
import { idFieldsOf, idOfNobody, valueAt, withIdAt } from '@/server/testing/tenancy/fields';
import { outcomeOf, withoutNew } from '@/server/testing/tenancy/outcome';
import { canariesOf, idsOf, rowsOf } from '@/server/testing/tenancy/rows';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { listProcedures } from '../procedures';
import { createCallerFactory } from './init';
import { dinerRouter } from './router';

const procedures = listProcedures(dinerRouter).map(({ path, type, inputs }) => ({
  path,
  type,
  fields: idFieldsOf(inputs),
}));
const asked = procedures.filter(({ fields }) => fields.length > 0);

const cursorOf = (id: string) => Buffer.from(JSON.stringify([id])).toString('base64url');
const request = async ({ newRequest }: TenancyStage) => ({ topUpRequestId: (await newRequest()).topUpRequestId });

/** Creates a payment in progress on a bill of the stage. */
async function payment({ owner, newBill }: TenancyStage) {
  const billUid = await newBill();
  const [row] = await owner`select id, guest_id from bill_payments where bill_uid = ${billUid}`;
  return { paymentId: row?.id, guestId: row?.guest_id };
}

/** An input with all ids for every procedure that takes one. */
const cases: Record<string, (stage: TenancyStage) => unknown> = {
  'identity.requestCode': async ({ newCustomer }) => ({ phone: (await newCustomer()).phone }),
  'identity.verifyCode': async ({ newCustomer }) => ({ phone: (await newCustomer()).phone, code: '000000' }),
  'identity.join': async (s) => ({ givenName: s.unique(), lastName: null, ...(await emailOf(s)), consent: true }),
  'account.history': ({ uid }) => ({ after: cursorOf(uid) }),
  // For its own merchant, a code that does not exist, because an existing voucher would be redeemed.
  'bill.redeem': async ({ isOther, newVoucher }) => ({
    kind: 'voucher',
    amount: 1,
    requestId: newId(),
    voucherCode: isOther ? (await newVoucher()).code : newVoucherCode(),
  }),
  'bill.takeBack': async ({ till, ref, paid }) => {
    await paid();
    const { transactionId } = await redeemStoredValue(till, { ...ref(), amount: 100 });
    return { transactionId };
  },
  'table.get': () => ({ language: 'en', guestId: newId() }),
  'cart.benefits': async ({ newItem }) => ({
    lines: [{ plu: (await newItem()).plu, quantity: 1, unitPrice: 500 }],
  }),
  'table.placeOrder': async ({ newItem, optionId }) => ({
    clientOrderId: newId(),
    guestId: newId(),
    lines: [{ plu: (await newItem()).plu, quantity: 1, unitPrice: 500, optionIds: [optionId] }],
  }),
  'bill.get': () => ({ guestId: newId() }),
  'bill.pay': () => ({ paymentId: newId(), guestId: newId(), amount: 1_000 }),
  'bill.payment': payment,
  'bill.cancelPayment': payment,
  'topUps.begin': ({ packageId }) => ({ requestKey: newId(), packageId, method: 'counter' }),
  'topUps.get': request,
  'topUps.check': request,
  'topUps.cancel': request,
};
const emailOf = async ({ contact }: TenancyStage) => ({ email: (await contact()).email });

const database = ownDatabase();
let own: TenancyStage;
let other: TenancyStage;
let phone: TestPhone;
let tableToken: string;

beforeAll(async () => {
  own = await createTenancyStage(database, 'Aardvark', false);
  other = await createTenancyStage(database, 'Zanzibar', true);
  phone = openPhone(own.services, own.merchant.id);
  await own.owner`delete from throttles`;
  await own.owner`delete from diner_codes`;
  await signIn(own.owner, own.services, phone, own.customer.phone);
  tableToken = (await own.newCode()).url.split('/q/')[1] ?? '';
});

/** Calls with the phone's cookie and its table's code. */
function callerOf({ session }: Pick<TestPhone, 'session'>) {
  const about = { merchantId: own.merchant.id, tableToken, client: '192.0.2.1' };
  return createCallerFactory(dinerRouter)({ services: own.services, session, ...about }) as unknown as Caller;
}
type Caller = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

async function tell(path: string, input: unknown, id: string, device: Pick<TestPhone, 'session'> = phone) {
  await own.owner`delete from throttles`;
  await own.owner`delete from diner_codes where merchant_id = ${own.merchant.id}`;
  const [group = '', name = ''] = path.split('.');
  const procedure = callerOf(device)[group]?.[name];
  if (!procedure) throw new Error(`there is no ${path}`);
  return withoutNew((await outcomeOf(procedure(input))).replaceAll(id, '…'));
}

test('every procedure that takes an id has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(asked.map(({ path }) => path).sort());
});

test.each(asked)('$path', async ({ path, fields }) => {
  const theirInput = await cases[path]?.(other);
  const theirs = await rowsOf(own.owner, other.merchant.id);
  const canaries = canariesOf(theirs, await rowsOf(own.owner, own.merchant.id), other.word);
  const ask = async (field: string, id: string) => {
    const answer = await tell(path, withIdAt(await cases[path]?.(own), field, id), id);
    expect(
      canaries.filter((canary) => answer.includes(canary)),
      answer,
    ).toEqual([]);
    return answer;
  };
  for (const { path: field, kind } of fields) {
    const same = valueAt(theirInput, field) as string;
    expect(same, `the case has no ${field}`).toBeTruthy();
    const reference = await ask(field, idOfNobody(same));
    for (const id of new Set(kind === 'uuid' ? [same, ...idsOf(theirs)] : [same])) {
      const answer = await ask(field, id);
      if (kind !== 'cursor') expect(answer, `${field} ${id}`).toBe(reference);
    }
  }
  expect(await rowsOf(own.owner, other.merchant.id)).toEqual(theirs);
});

describe('the session of another merchant’s customer', () => {
  test.each(
    procedures.filter(({ path }) =>
      /^(account|topUps)\.|^bill\.(offers|redeem|takeBack|sendReceipt|sendsReceipt)|^cart|signOut|join/.test(path),
    ),
  )('$path', async ({ path }) => {
    const stranger = openPhone(other.services, other.merchant.id);
    await other.owner`delete from diner_codes`;
    await signIn(other.owner, other.services, stranger, (await other.newCustomer()).phone);
    const session = { ...stranger.session, read: () => stranger.session.read(other.merchant.id) };
    const input = await cases[path]?.(own);
    const nobody = openPhone(own.services, own.merchant.id);
    expect(await tell(path, input, '\0', { session })).toBe(await tell(path, input, '\0', nobody));
  });
});
