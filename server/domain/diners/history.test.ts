/** A customer's history names the package or voucher of each entry, with an amount and a receipt. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createDinerScene } from '@/server/testing/diners';
import { createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createMenu, createVoucher } from '@/server/testing/factory-ordering';
import { authenticateKey } from '../access/authenticate';
import { type DinerCustomer, findDiner } from '../identity';
import { newId } from '../kernel/ids';
import { formatVoucherCode } from '../kernel/voucher-code';
import { submitSale } from '../sales/submit';
import { listTopUpOffers } from '../top-ups/begin';
import { topUp } from '../top-ups/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { getAccount } from './account';
import { getReceipt } from './receipt';

const database = ownDatabase();

test('top-ups and vouchers are named, and sales and discounts have their amount', async () => {
  const { owner } = database;
  const scene = await createDinerScene(database);
  const { id: merchantId } = scene.merchant;
  const { id: customerId, phone } = await scene.customerWithPhone();
  const { api, session } = await scene.comeIn(phone);
  await createMenu(owner, merchantId);
  const till = await authenticateKey(scene.services, scene.merchant.stores[0].key);
  const customer = { customerId };
  const packageId = await createFixedPackage(owner, merchantId, { name: 'Hundred', amount: 10_000, bonus: 2_000 });
  const unit = { unit: 'ItemDollarPercentage', value: 10_000 } as const;
  const campaignId = await createCampaign(owner, merchantId, { name: 'Free noodles', ...unit, plus: ['N001'] });
  const voucherCode = formatVoucherCode(await createVoucher(owner, merchantId, { campaignId, customerId }));
  const { vouchers, itemNames } = await api.account.get();
  expect(vouchers.map(({ plus }) => plus.map((plu) => itemNames[plu]))).toEqual([[expect.any(String)]]);

  await topUp({ ...till }, { transactionId: newId(), customer, packageId });
  scene.passSeconds(60);
  const bill = { amount: 800, lines: [{ plu: 'N001', quantity: 1, unitPrice: 800, amount: 800 }] };
  await redeemVoucher({ ...till }, { transactionId: newId(), customer, voucherCode, bill });
  scene.passSeconds(60);
  const sale = { subtotal: 800, discount: 0, serviceCharge: 80, tax: 79, total: 959 };
  await submitSale(
    { ...till },
    {
      transactionId: newId(),
      billId: 'B1',
      customer,
      ...sale,
      closedAt: scene.now().toISOString(),
      lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 800, amount: 800 }],
      payments: [{ method: 'cash', amount: 959 }],
    },
  );
  const { items } = await api.account.history({});
  expect(items.map(({ type, name, amount, moved }) => [type, name, amount, moved.principal])).toEqual([
    ['sale', null, 959, 0],
    ['redeemVoucher', 'Free noodles', 800, 0],
    ['topUp', 'Hundred', null, 10_000],
  ]);

  const diner = await findDiner(scene.services, till.merchant, session.read(merchantId));
  const receipt = (uid = '') => getReceipt(scene.services, { ...(diner as DinerCustomer), customerId }, { uid });
  expect(await receipt(items[0]?.uid)).toMatchObject({
    type: 'sale',
    billId: 'B1',
    store: { name: 'Store NORTH', address: '', phone: '' },
    amount: 959,
    sale: {
      ...sale,
      lines: [{ name: 'Laksa', quantity: 1, amount: 800 }],
      payments: [{ method: 'cash', amount: 959 }],
    },
  });
  expect(await receipt(items[2]?.uid)).toMatchObject({ name: 'Hundred', sale: null, moved: { principal: 10_000 } });
  // In Chinese, if the merchant has translated it.
  const texts = owner.json({ zh: { name: '充一百' } });
  await owner`update stored_value_packages set translations = ${texts} where merchant_id = ${merchantId}`;
  await owner`update voucher_campaigns set translations = ${owner.json({ zh: { name: '免费面' } })}
    where merchant_id = ${merchantId}`;
  const inChinese = await api.account.history({ language: 'zh' });
  expect(inChinese.items.map(({ name }) => name)).toEqual([null, '免费面', '充一百']);
  expect((await api.account.history({ language: 'ms' })).items.map(({ name }) => name)).toEqual([
    ...[null, 'Free noodles', 'Hundred'],
  ]);
  const ctx = { ...scene.services, merchant: till.merchant, customerId };
  expect((await listTopUpOffers(ctx, 'zh')).packages.map(({ name }) => name)).toEqual(['充一百']);
  await createVoucher(owner, merchantId, { campaignId, customerId });
  await owner`update menu_items set translations = ${owner.json({ zh: { name: '叻沙', description: '' } })}
    where merchant_id = ${merchantId} and plu = 'N001'`;
  const account = await getAccount(scene.services, { ...(diner as DinerCustomer), customerId }, 'zh');
  expect([account.vouchers.map(({ name }) => name), account.itemNames]).toEqual([['免费面'], { N001: '叻沙' }]);

  const other = await scene.customerWithPhone();
  const theirs = getReceipt(
    scene.services,
    { ...(diner as DinerCustomer), customerId: other.id },
    { uid: items[0]?.uid ?? '' },
  );
  await expect(theirs).rejects.toMatchObject({ code: 'transaction_not_found' });
});
