/** Vouchers that customers held elsewhere, as columns of a file. */
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { createCustomer } from '@/server/testing/factory';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { redeemVoucher } from '../vouchers/redeem';
import { continueImport } from './run';
import type { ImportMapping } from './schemas';
import { receiveFile } from './upload';

const database = sharedDatabase();
const columns = { givenName: 0, email: 1, voucher: 2, voucherCount: 3, voucherExpiresOn: 4, points: 5 };
const mapping: ImportMapping = { columns, dateOrder: 'YMD', addsToKnown: true };
const newEmail = () => `${newId()}@example.com`;

async function createScene() {
  const scene = await createCampaignScene(database);
  const campaignId = await scene.addCampaign({ name: 'Free coffee' });
  const imports = scene.call.customerImports;
  async function upload(rows: string, fileName = `${newId()}.csv`) {
    async function* body() {
      yield Buffer.from(`Name,E-mail,Voucher,Voucher count,Voucher expires on,Points\n${rows}`);
    }
    return (await receiveFile(scene.staff, { fileName, body: body() })).importId;
  }
  const work = (importId: string) => continueImport(scene.staff, { merchantId: scene.merchant.id, importId });
  async function run(rows: string) {
    const importId = await upload(rows);
    await imports.start({ importId, mapping });
    await work(importId);
    const reasons = (await imports.problems({ importId })).items.flatMap(({ problems }) => problems);
    return { importId, reasons };
  }
  const held = (email: string) => database.owner<{ state: string; expires_at: Date | null; code: string }[]>`
    select v.state, v.expires_at, v.voucher_code as code
    from vouchers v join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id
    where c.email = ${email} and c.merchant_id = ${scene.merchant.id} order by v.id`;
  return { ...scene, campaignId, imports, upload, run, work, held };
}

test('vouchers are given by the name of their campaign, in number and with their expiry, and count in the totals', async () => {
  const { imports, upload, work, held, call, campaignId } = await createScene();
  const [ada, bob, cat] = [newEmail(), newEmail(), newEmail()];
  const importId = await upload(
    `Ada,${ada},free COFFEE,3,2026-12-31,\nBob,${bob},Free coffee,,,5\nCat,${cat},Tea,1,,\n`,
  );
  expect((await imports.get({ importId })).guessed?.columns).toEqual(columns);
  const { rows } = await imports.preview({ importId, mapping });
  expect(rows.map(({ problems }) => problems)).toEqual([[], [], ['voucherUnknown']]);
  expect(await imports.totals({ importId, mapping })).toMatchObject({
    ready: 2,
    skipped: 1,
    vouchers: 4,
    addedVouchers: 0,
  });
  await imports.start({ importId, mapping });
  await work(importId);
  const expiry = new Date('2026-12-31T15:59:59.999Z');
  expect((await held(ada)).map((one) => one.expires_at)).toEqual([expiry, expiry, expiry]);
  expect((await held(bob)).map((one) => one.expires_at)).toEqual([null]);
  expect((await imports.get({ importId })).openings?.vouchers).toEqual({
    campaignIds: [campaignId],
    imported: 4,
    cancelled: 0,
  });
  const { items } = await call.vouchers.list({ campaignId });
  expect(items).toHaveLength(4);
});

test.each([
  ['that is paused', (scene) => scene.call.campaigns.setPaused({ campaignId: scene.campaignId, isPaused: true })],
  ['with a limit', (scene) => scene.addCampaign({ name: 'Few', totalLimit: 10 }), 'Few'],
  ['whose name another one has', (scene) => scene.addCampaign({ name: 'FREE Coffee' })],
] satisfies [string, (scene: Awaited<ReturnType<typeof createScene>>) => Promise<unknown>, string?][])(
  'a campaign %s gives none, and the row is skipped',
  async (_, change, name = 'Free coffee') => {
    const scene = await createScene();
    await change(scene);
    const email = newEmail();
    expect((await scene.run(`Ada,${email},${name},1,,5\n`)).reasons).toEqual(['voucherUnknown']);
    expect(await scene.held(email)).toEqual([]);
  },
);

test('a known customer gets them once, from however many files, until they are taken back', async () => {
  const { run, held, merchant, work, imports } = await createScene();
  const email = (await createCustomer(database.owner, merchant.id)).email ?? '';
  const row = `Ada,${email},Free coffee,2,,\n`;
  const { importId, reasons } = await run(row);
  expect([reasons, (await held(email)).length]).toEqual([[], 2]);
  expect((await run(row)).reasons).toEqual(['openingGiven']);
  expect((await run(`Ada,${email},Free coffee,1,,\n`)).reasons).toEqual(['openingGiven']);
  expect(await held(email)).toHaveLength(2);
  await imports.undo({ importId });
  await work(importId);
  expect((await run(row)).reasons).toEqual([]);
  expect((await held(email)).map(({ state }) => state).sort()).toEqual(['cancelled', 'cancelled', 'unused', 'unused']);
});

test('they are given once by workers that take turns at the same time', async () => {
  const { upload, imports, work, held } = await createScene();
  const email = newEmail();
  const importId = await upload(`Ada,${email},Free coffee,2,,\n`);
  await imports.start({ importId, mapping });
  await Promise.all([work(importId), work(importId), work(importId)]);
  expect(await held(email)).toHaveLength(2);
});

test('undoing cancels those that are unused, and leaves used and expired ones', async () => {
  const { run, held, imports, work, merchant, services, moveTo } = await createScene();
  const [ada, bob] = [newEmail(), newEmail()];
  const { importId } = await run(`Ada,${ada},Free coffee,2,,7\nBob,${bob},Free coffee,1,2026-11-21,\n`);
  const [used] = await held(ada);
  await redeemVoucher({ ...(await authenticateKey(services, merchant.stores[0].key)) }, {
    transactionId: newId(),
    customer: { email: ada },
    voucherCode: used?.code ?? '',
    bill: { amount: 2_000, items: [] },
  } as never);
  moveTo('2026-11-25T04:00:00Z');
  await imports.undo({ importId });
  await work(importId);
  expect((await held(ada)).map(({ state }) => state).sort()).toEqual(['cancelled', 'redeemed']);
  expect((await held(bob)).map(({ state }) => state)).toEqual(['unused']);
  const { openings, undoneAt } = await imports.get({ importId });
  expect(undoneAt).not.toBeNull();
  expect(openings).toMatchObject({ reversed: { points: 7 }, vouchers: { imported: 3, cancelled: 1 } });
});

test('they count towards the vouchers that a manager may give in a day', async () => {
  const { upload, imports, merchant } = await createScene();
  await database.owner`update merchants set manager_daily_vouchers = 2 where id = ${merchant.id}`;
  const importId = await upload(`Ada,${newEmail()},Free coffee,3,,\n`);
  await expect(imports.start({ importId, mapping })).rejects.toMatchObject({ cause: { code: 'limit_exceeded' } });
  expect((await imports.get({ importId })).state).toBe('ready');
});
