/** The operator's commands, while a merchant moves between cells. */
import { expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { migrate } from '@/db/operations/migrate';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant } from '@/server/testing/factory';
import { ensureAtHome, ensureNobodyMoves } from '../domain/merchants';

const database = ownDatabase();

const move = (merchantId: string, state: object) =>
  database.owner`insert into merchant_moves ${database.owner({ merchant_id: merchantId, cell: 'west', ...state })}`;

test('change nothing of a merchant whose writes are stopped, that is arriving or has left', async () => {
  const db = queriesOn(database.owner);
  const outcome = async (state: object) => {
    const { id } = await createMerchant(database.owner);
    await move(id, state);
    return ensureAtHome(db, { id, name: 'Kopi' }).then(
      () => 'done',
      (error: Error) => error.message,
    );
  };
  expect(await outcome({ state: 'leaving' })).toBe('done');
  expect(await outcome({ state: 'leaving', stopped_at: new Date() })).toBe(
    'Kopi is leaving for west: wait until its move has ended.',
  );
  expect(await outcome({ state: 'arriving' })).toContain('Kopi is arriving from west');
  expect(await outcome({ state: 'left', left_at: new Date() })).toBe(
    'Kopi has left for west: use the commands of that cell.',
  );
});

test('leave the schema and the secrets as they are while anyone moves; one that has left does not count', async () => {
  const { owner, url } = database;
  const { id } = await createMerchant(owner);
  await owner`delete from merchant_moves`;
  await move(id, { state: 'left', left_at: new Date() });
  await ensureNobodyMoves(queriesOn(owner));
  await owner`update merchant_moves set state = 'arriving', left_at = null`;
  await expect(ensureNobodyMoves(queriesOn(owner))).rejects.toThrow('1 are now');
  // As if this release had one more migration than the database.
  await owner`delete from drizzle.__drizzle_migrations where created_at = (
    select max(created_at) from drizzle.__drizzle_migrations)`;
  await expect(migrate(url)).rejects.toThrow('A merchant is being moved between cells');
});
