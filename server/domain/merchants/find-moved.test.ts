import { beforeEach, expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { createCell } from '../kernel/cells';
import { newId } from '../kernel/ids';
import { hashToken } from '../kernel/secrets';
import { findMoved, originsOfMoved } from './find-moved';
import { keepReferences } from './moved';

const database = sharedDatabase();
let merchant: TestMerchant;
const cell = createCell('sg1', 'https://{cell}.loyalty.example.com');
const services = () => ({ ...testServices(database.db), cell });

beforeEach(async () => {
  merchant = await createMerchant(database.owner);
});

const leaveFor = (name: string, { id } = merchant) =>
  database.owner.begin(async (tx) => {
    await tx`insert into merchant_moves ${tx({ merchant_id: id, state: 'left', cell: name, left_at: new Date() })}`;
    await keepReferences(queriesOn(tx), id);
  });

test('a merchant, its staff and its invitations lead to its new cell, and nothing else does', async () => {
  const owner = await createStaff(database.owner, services(), merchant.id);
  const { link } = await callAs(owner).staff.invite({
    email: `${newId()}@example.com`,
    role: 'cashier',
    language: 'en',
  });
  const invitation = hashToken(link.split('/').at(-1) ?? '');
  const { staff } = owner;
  const ask = async () => [
    await originsOfMoved(services(), 'merchant', merchant.id),
    await originsOfMoved(services(), 'member', staff.userId),
    await originsOfMoved(services(), 'invitation', invitation),
  ];
  expect(await ask()).toEqual([[], [], []]);
  await leaveFor('sg2');
  const there = ['https://sg2.loyalty.example.com'];
  expect(await ask()).toEqual([there, there, there]);
  for (const id of [newId(), 'nonsense', merchant.id.toUpperCase()]) {
    expect(await originsOfMoved(services(), 'merchant', id), id).toEqual([]);
    expect(await originsOfMoved(services(), 'photo', id), id).toEqual([]);
  }
});

test('a person of several merchants that moved is told of each cell once', async () => {
  const { staff } = await createStaff(database.owner, services(), merchant.id);
  const others = [await createMerchant(database.owner), await createMerchant(database.owner)];
  for (const { id } of others) {
    await database.owner`insert into memberships ${database.owner({ merchant_id: id, user_id: staff.userId, role: 'owner' })}`;
  }
  await leaveFor('sg2');
  await leaveFor('sg2', others[0]);
  await leaveFor('sg3', others[1]);
  expect(await originsOfMoved(services(), 'member', staff.userId)).toEqual([
    'https://sg2.loyalty.example.com',
    'https://sg3.loyalty.example.com',
  ]);
});

test('a deployment that is no cell asks nothing', async () => {
  await leaveFor('sg2');
  expect(await findMoved(services(), 'merchant', merchant.id)).toEqual([
    { merchantId: merchant.id, state: 'left', cell: 'sg2' },
  ]);
  expect(await findMoved({ ...services(), cell: null }, 'merchant', merchant.id)).toEqual([]);
});
