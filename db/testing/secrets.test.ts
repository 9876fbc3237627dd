import { afterAll, expect, test } from 'vitest';
import { ownDatabase } from './database';
import { secretsIn, secretsInRows } from './secrets';

const database = ownDatabase();
afterAll(() => database.owner`drop table leaks`);

const token = 'Zk3-abcdefghijklmnopqrstuvwxyz_0123456789AB';
const secrets = [
  `key sk_sandbox_${'a1'.repeat(18)}`,
  '{"phone":"+6591234567"}',
  'to 6591234567',
  'nobody@example.com could not be reached',
  'owner@kopi-kaya.example',
  'GET /customers/phone/%2B6591234567/balances',
  '/customers?search=ada%40example.com',
  '?input=%7B%22pin%22:%224831%22%7D',
  '{"pin":"4831"}',
  '{"code": "483120"}',
  'correct horse battery',
  'next-auth.session-token=eyJhbGciOiJkaXIi.',
  `link ${token}`,
  '/q/abcdefghijklmnopqrstuv',
  'Bearer a token of tests',
];
const others = [
  '01928c1e-0000-7000-8000-659123456701',
  '+65••••4567',
  '{"pin":null}',
  '{"counter_code":"073593"}',
  '{"amount": 6591}',
  'a_name_of_a_constraint_with_43_letters_x_fkey',
  `${token}${token}`,
];

test('finds every kind of secret, in a log and in a row', async () => {
  const { owner } = database;
  await owner`create table leaks (said text, facts jsonb)`;
  for (const secret of secrets) {
    expect(secretsIn(`before ${secret} after`), secret).not.toEqual([]);
    await owner`insert into leaks values (${secret}, null)`;
    expect(await secretsInRows(owner), secret).not.toEqual([]);
    await owner`update leaks set said = null, facts = ${owner.json({ list: [{ secret }] })}`;
    expect(await secretsInRows(owner), `${secret} in JSON`).not.toEqual([]);
    await owner`delete from leaks`;
  }
});

test('ignores values that only resemble a secret', async () => {
  const { owner } = database;
  for (const other of others) {
    expect(secretsIn(other), other).toEqual([]);
    await owner`insert into leaks values (${other}, null)`;
    expect(await secretsInRows(owner), other).toEqual([]);
  }
});

test('searches a long word, as of the bytes of a photo, in a moment', () => {
  const photo = '0f'.repeat(1_000_000);
  expect(secretsIn(photo)).toEqual([]);
  expect(secretsIn(`${photo} nobody@example.com`)).toHaveLength(1);
});
