import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMenuScene, type MenuScene } from '@/server/testing/menu';
import type { PosContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { placeOrder } from './place-order';
import { generateQrCode } from './qr-codes';
import { getTablePage } from './table-page';

const database = sharedDatabase();

/** A table of a store: what its page shows, and its orders. */
async function seatAt({ services, staff, merchant }: MenuScene, store: { id: string; storeCode: string }) {
  const till: PosContext = {
    ...services,
    merchant: staff.merchant,
    apiKeyId: newId(),
    environment: 'sandbox',
    boundStore: { ...store, name: '' },
  };
  const { url, qrCodeId } = await generateQrCode(till, { billId: newId() });
  const token = url.split('/').at(-1) ?? '';
  return {
    menu: async () => {
      const page = await getTablePage(services, { token, client: '192.0.2.1' }, 'en');
      return page.state === 'open' ? page.categories.flatMap(({ items }) => items.map(({ plu }) => plu)) : null;
    },
    order: (...plus: string[]) =>
      placeOrder(
        services,
        { merchantId: merchant.id, qrCodeId },
        { clientOrderId: newId(), lines: plus.map((plu) => ({ plu, quantity: 1, unitPrice: 500 })) },
      ),
  };
}

describe('an item sold at some stores', () => {
  test('is on the menu and can be ordered only there', async () => {
    const scene = await createMenuScene(database);
    const { north, south, addCategory, addItem, updateItem, itemIn } = scene;
    const food = await addCategory('Food');
    const laksa = await addItem(food, 'N001', { allStores: false, storeIds: [north.id] });
    await addItem(food, 'N002');
    const [here, there] = [await seatAt(scene, north), await seatAt(scene, south)];
    expect([await here.menu(), await there.menu()]).toEqual([['N001', 'N002'], ['N002']]);
    expect((await here.order('N001', 'N002')).total).toBe(1_000);
    const refused = { code: 'items_unavailable', details: { plus: ['N001'] } };
    await expect(there.order('N001', 'N002')).rejects.toMatchObject(refused);
    await updateItem(laksa, itemIn(food, 'N001', { allStores: false, storeIds: [south.id] }));
    expect([await here.menu(), await there.menu()]).toEqual([['N002'], ['N001', 'N002']]);
    await expect(here.order('N001')).rejects.toMatchObject(refused);
    expect((await there.order('N001')).total).toBe(500);
  });

  test('leaves no empty category behind', async () => {
    const scene = await createMenuScene(database);
    const { call, north, south, addCategory, addItem } = scene;
    const food = await addCategory('Food');
    await addItem(food, 'N001', { allStores: false, storeIds: [north.id] });
    const there = await seatAt(scene, south);
    expect(await there.menu()).toEqual([]);
    await call.menu.archiveCategory({ categoryId: food });
    const here = await seatAt(scene, north);
    expect(await here.menu()).toEqual([]);
  });
});
