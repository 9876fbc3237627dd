/** Owners download all data of their business: without secrets, and with a record of it. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { bringIn } from '@/server/testing/archives';
import { createHistory } from '@/server/testing/merchant-history';
import { openArchive } from '../domain/merchant-archive';
import { businessExport, openBusiness } from './business';

const source = ownDatabase();
const target = ownDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'business-'));
});
afterAll(() => rm(folder, { recursive: true }));

const downloads = (merchantId: string) => source.owner<{ after: string; actor_id: string }[]>`
  select after, actor_id from audit_log
  where merchant_id = ${merchantId} and action = 'export.download' and subject_id = 'business' order by id`;

test('the file is whole, holds no secrets, can be imported, and who got it is recorded with its rows', async () => {
  const { merchant, staff } = await createHistory(source, { seed: 21, steps: 20 });
  await createHistory(source, { seed: 22, steps: 5 });
  const path = join(folder, 'business.zip');
  const content = await openBusiness(staff);
  await pipeline(Readable.fromWeb(content as never), createWriteStream(path));
  const { manifest, close } = await openArchive(path);
  close();
  expect(manifest).toMatchObject({ merchant: { id: merchant.id }, hasSecrets: false, secretIds: [] });
  const rows = manifest.members.reduce((sum, member) => sum + member.rows, 0);
  expect(rows).toBeGreaterThan(50);
  const recorded = await vi.waitFor(async () => {
    const found = await downloads(merchant.id);
    expect(found).toHaveLength(1);
    return found;
  }, 40_000);
  expect(recorded).toEqual([{ after: JSON.stringify({ rows }), actor_id: staff.staff.userId }]);
  expect((await bringIn(target, path, 'new')).rows).toBe(rows);
});

test('one that is cancelled is recorded, too, and ends', async () => {
  const { merchant, staff } = await createHistory(source, { seed: 23, steps: 5 });
  await source.owner`
    insert into customers (merchant_id, id, given_name, last_name, joined_at)
    select ${merchant.id}, gen_random_uuid(), md5(n::text), md5(n::text || 'x'), now() from generate_series(1, 20000) n`;
  const reader = (await openBusiness(staff)).getReader();
  await reader.read();
  await reader.cancel();
  await vi.waitFor(async () => expect(await downloads(merchant.id)).toHaveLength(1), 40_000);
});

test('it is for owners of all stores who have just proved who they are', () => {
  expect(businessExport).toEqual({ roles: ['owner'], isOfAllStores: true, isSensitive: true });
});
