/** The back office's changes of the menu. */
import sharp from 'sharp';
import { type CallScene, type Calls, expectRefusal, newName, runInSequence } from './scene';
import { someCategory, someItem } from './staff-lists';

const sugar = { name: 'Sugar', minimum: 0, maximum: 1, options: [{ name: 'None', price: 0 }] };

export const menuChanges: Calls = {
  'menu.createCategory': ({ call }) => call.menu.createCategory({ name: newName('Category') }),
  'menu.updateCategory': async ({ call }) => {
    const { categoryId } = await call.menu.createCategory({ name: newName('Category') });
    const revision = (await call.menu.categories()).find((one) => one.categoryId === categoryId)?.revision as string;
    await call.menu.updateCategory({ categoryId, revision, name: newName('Category') });
    await expectRefusal(call.menu.updateCategory({ categoryId, revision, name: newName('Category') }));
  },
  'menu.archiveCategory': async ({ call }) =>
    call.menu.archiveCategory(await call.menu.createCategory({ name: newName('Category') })),
  'menu.orderCategories': async ({ call }) => {
    const categoryIds = (await call.menu.categories()).map(({ categoryId }) => categoryId);
    await call.menu.orderCategories({ categoryIds: categoryIds.reverse() });
  },
  'menu.createItem': async (scene) => void (await newItem(scene)),
  'menu.updateItem': async ({ call, storeId }) => {
    const itemId = await someItem(call);
    const { revision, categoryId, plu } = await call.menu.item({ itemId });
    const item = { categoryId, plu, name: 'Laksa', price: 900, allStores: false, storeIds: [storeId] };
    await call.menu.updateItem({ itemId, revision, ...item });
    await expectRefusal(call.menu.updateItem({ itemId, revision, ...item }));
  },
  'menu.orderItems': async ({ call }) => {
    const categoryId = await someCategory(call);
    const itemIds = (await call.menu.categoryItems({ categoryId })).map(({ itemId }) => itemId);
    await call.menu.orderItems({ categoryId, itemIds: itemIds.reverse() });
  },
  'menu.archiveItems': async (scene) => scene.call.menu.archiveItems({ itemIds: [await newItem(scene)] }),
  'menu.restoreItems': async (scene) => {
    const itemIds = [await newItem(scene)];
    await scene.call.menu.archiveItems({ itemIds });
    await scene.call.menu.restoreItems({ itemIds });
  },
  'menu.importItems': ({ call }) => {
    const file = btoa('plu,name,price,category\nN001,Laksa,9.50,All\nN009,Rojak,5.00,New\n');
    return runInSequence(
      () => call.menu.importItems({ file, dryRun: true }),
      () => call.menu.importItems({ file, dryRun: false }),
    );
  },
  'menu.uploadPhoto': async ({ call }) => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } });
    const photo = new Blob([new Uint8Array(await picture.png().toBuffer())]);
    await call.menu.uploadPhoto(photo.stream() as never);
  },
  'menu.createOptionGroup': ({ call }) => call.menu.createOptionGroup({ ...sugar, name: newName('Sugar') }),
  'menu.optionGroup': async (scene) => scene.call.menu.optionGroup(await newGroup(scene)),
  'menu.updateOptionGroup': async (scene) => {
    const { optionGroupId } = await newGroup(scene);
    const { revision, options } = await scene.call.menu.optionGroup({ optionGroupId });
    const { optionId, name, price } = options[0] as (typeof options)[number];
    const changed = [
      { optionId, name, price: price + 10 },
      { name: 'Less', price: 0 },
    ];
    await scene.call.menu.updateOptionGroup({
      ...sugar,
      name: newName('Sugar'),
      optionGroupId,
      revision,
      options: changed,
    });
  },
  'menu.deleteOptionGroup': async (scene) => scene.call.menu.deleteOptionGroup(await newGroup(scene)),
};

const newGroup = ({ call }: CallScene) => call.menu.createOptionGroup({ ...sugar, name: newName('Sugar') });
async function newItem(scene: CallScene): Promise<string> {
  const { call } = scene;
  const { optionGroupId } = await newGroup(scene);
  const item = { categoryId: await someCategory(call), plu: newName('P'), name: 'New', price: 500 };
  return (await call.menu.createItem({ ...item, optionGroupIds: [optionGroupId] })).itemId;
}
