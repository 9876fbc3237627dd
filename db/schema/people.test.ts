/** A person’s rows: which of them the database lets the application see and change, across all merchants. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../driver';
import { ownDatabase } from '../testing/database';
import { codeOf } from '../testing/error-code';

const denied = '42501';

describe('a person’s rows', () => {
  const [ann, ben] = [randomUUID(), randomUUID()];
  const database = ownDatabase();
  let own: Sql;
  beforeAll(async () => {
    own = database.db.openSession({ max: 1 });
    for (const id of [ann, ben]) {
      const row = { id, email: `${id}@example.com`, name: 'Test', password_hash: `hash of ${id}` };
      await database.owner`insert into users ${database.owner(row)}`;
      const reset = { token_hash: Buffer.from(id), user_id: id, session_version: 1, expires_at: new Date() };
      await database.owner`insert into password_resets ${database.owner(reset)}`;
      const times = { created_at: new Date(), last_used_at: new Date() };
      const app = { user_id: id, secret: Buffer.from('app'), last_step: 1, ...times };
      await database.owner`insert into authenticators ${database.owner(app)}`;
      const passkey = {
        id: randomUUID(),
        user_id: id,
        name: 'Mine',
        credential_id: Buffer.from(id),
        public_key: app.secret,
      };
      await database.owner`
        insert into passkeys ${database.owner({ ...passkey, counter: 0, is_backed_up: true, ...times })}`;
      await database.owner`insert into recovery_codes values (${id}, ${Buffer.from('code')})`;
    }
  });
  afterAll(() => own?.end());

  /** Runs a statement for a person, as the application does through `withPerson`. Returns how many rows it affected. */
  const rowsFor = (person: string, query: string) =>
    own.begin(async (sql) => {
      await sql`select set_config('app.user_id', ${person}, true)`;
      const { count } = await sql.unsafe(query);
      await sql`select set_config('app.user_id', '', true)`;
      return count;
    });

  test.each([
    ['password', `update users set password_hash = 'mine' where id = '${ben}'`],
    ['name', `update users set name = 'mine' where id = '${ben}'`],
    ['sessions’ version', `update users set session_version = 9 where id = '${ben}'`],
    ['links', `delete from password_resets where user_id = '${ben}'`],
    ['app’s last code', `update authenticators set last_step = 9 where user_id = '${ben}'`],
    ['app', `delete from authenticators where user_id = '${ben}'`],
    ['passkey’s counter', `update passkeys set counter = 1 where user_id = '${ben}'`],
    ['passkey', `delete from passkeys where user_id = '${ben}'`],
    ['recovery codes', `delete from recovery_codes where user_id = '${ben}'`],
  ])('the service changes nobody else’s %s, nor anyone’s outside a transaction of that person', async (_, query) => {
    expect(await rowsFor(ann, query)).toBe(0);
    expect(await rowsFor('', query)).toBe(0);
    expect(await rowsFor(ben, query)).toBe(1);
  });

  test('it reads and creates no link to another person’s password', async () => {
    expect(await rowsFor(ben, `select from password_resets where user_id = '${ann}'`)).toBe(0);
    expect(await rowsFor(ann, `select from password_resets where user_id = '${ann}'`)).toBe(1);
    const insert = `insert into password_resets values ('\\x01', '${ben}', 1, now())`;
    expect(await codeOf(rowsFor(ann, insert))).toBe(denied);
    expect(await codeOf(rowsFor('', insert))).toBe(denied);
  });

  test('it gives nobody’s row to another person, deletes no person, and lists no passwords', async () => {
    const { count } = await database.owner`select from users`;
    expect(await codeOf(rowsFor(ann, `update users set id = '${randomUUID()}' where id = '${ann}'`))).toBe(denied);
    expect(await codeOf(rowsFor(ann, `delete from users where id = '${ann}'`))).toBe(denied);
    expect(await codeOf(rowsFor(ann, 'select password_hash from users'))).toBe(denied);
    expect(await codeOf(rowsFor(ann, "select from users where password_hash like 'hash%'"))).toBe(denied);
    expect(count).toBeGreaterThan(1);
    const address = `${ann}@example.com`;
    expect([...(await own`select user_id, session_version from staff_password(${address})`)]).toEqual([
      { user_id: ann, session_version: 1 },
    ]);
  });

  test('it changes no mail that was sent, and empties no bucket of a rate limit', async () => {
    for (const state of ['sent', 'inbox', 'queued']) {
      const mail = { id: randomUUID(), recipient: 'ann@example.com', state };
      await database.owner`insert into mails ${database.owner(mail)}`;
      const change = `update mails set state = 'failed' where id = '${mail.id}'`;
      expect(await rowsFor('', change), state).toBe(state === 'queued' ? 1 : 0);
    }
    await own`select from take_tokens('bucket', 1, 5, 5)`;
    expect(await rowsFor('', "delete from rate_buckets where bucket = 'bucket'")).toBe(0);
  });
});
