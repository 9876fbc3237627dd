/** Two people have the same form open: the second to save is told, and overwrites nothing. */
import { describe, expect, test } from 'vitest';
import { profileOf } from '@/db/kinds/lists';
import { sharedDatabase } from '@/db/testing/database';
import type { Category } from '@/server/domain/menu/categories';
import { createCampaignScene, fiveOff } from '@/server/testing/campaigns';
import { refusalOf } from '@/server/testing/menu';

const database = sharedDatabase();

type Scene = Awaited<ReturnType<typeof createCampaignScene>>;
type Template = Awaited<ReturnType<Scene['call']['messages']['templates']>>['templates'][number];

/** An item as a screen reads it, and as a form saves it under another name. */
interface Thing {
  read: () => Promise<{ name: string; revision: string }>;
  save: (name: string, revision: string) => Promise<{ revision: string }>;
}

const hundred = {
  kind: 'fixed' as const,
  amount: 10_000,
  bonusAmount: 2_000,
  bonusExpiresInDays: null,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
};
const sugar = { minimum: 0, maximum: 1, options: [{ name: 'None', price: 0 }] };

const things: Record<string, (scene: Scene) => Promise<Thing>> = {
  async package({ call: { packages } }) {
    const { packageId } = await packages.create({ ...hundred, name: 'A' });
    return {
      read: () => packages.get({ packageId }),
      save: (name, revision) => packages.update({ packageId, package: { ...hundred, name }, revision }),
    };
  },
  async campaign({ call: { campaigns } }) {
    const { campaignId } = await campaigns.create({ ...fiveOff, name: 'A' });
    return {
      read: () => campaigns.get({ campaignId }),
      save: (name, revision) => campaigns.update({ campaignId, campaign: { ...fiveOff, name }, revision }),
    };
  },
  async item({ call: { menu } }) {
    const { categoryId } = await menu.createCategory({ name: 'Food' });
    const item = { categoryId, plu: 'N001', price: 500 };
    const { itemId } = await menu.createItem({ ...item, name: 'A' });
    return {
      read: () => menu.item({ itemId }),
      save: (name, revision) => menu.updateItem({ ...item, itemId, name, revision }),
    };
  },
  async 'option group'({ call: { menu } }) {
    const { optionGroupId } = await menu.createOptionGroup({ ...sugar, name: 'A' });
    return {
      read: () => menu.optionGroup({ optionGroupId }),
      save: async (name, revision) => {
        const { options } = await menu.optionGroup({ optionGroupId });
        return menu.updateOptionGroup({ ...sugar, options, optionGroupId, name, revision });
      },
    };
  },
  async category({ call: { menu } }) {
    const { categoryId } = await menu.createCategory({ name: 'A' });
    return {
      read: async () => (await menu.categories()).find((one) => one.categoryId === categoryId) as Category,
      save: (name, revision) => menu.updateCategory({ categoryId, name, revision }),
    };
  },
  async customer({ call: { customers }, addCustomers }) {
    const [customerId] = (await addCustomers(1)) as [string];
    return {
      read: async () => {
        const { customer, revision } = await customers.get({ customerId });
        return { name: customer.givenName, revision };
      },
      save: async (givenName, revision) => {
        const { customer } = await customers.get({ customerId });
        return customers.edit({ ...profileOf(customer), customerId, givenName, revision });
      },
    };
  },
  async template({ call: { messages } }) {
    const find = async () => (await messages.templates()).templates[0] as Template;
    return {
      read: async () => {
        const { body, revision } = await find();
        return { name: body, revision };
      },
      save: async (body, revision) => messages.saveTemplate({ ...(await find()), body, revision }),
    };
  },
};

const meanwhile = { code: 'edited_meanwhile', paths: [] };

describe.each(Object.entries(things))('a %s', (_, create) => {
  test('is saved by one of two who save at once; the other changes nothing and leaves no audit entry', async () => {
    const scene = await createCampaignScene(database);
    const { read, save } = await create(scene);
    const { revision } = await read();
    const outcomes = await Promise.allSettled([save('B', revision), save('C', revision)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await read()).name).toBe(outcomes[0].status === 'fulfilled' ? 'B' : 'C');
    expect(await refusalOf(save('D', revision))).toEqual(meanwhile);
    const trail = await database.owner`
      select from audit_log
      where merchant_id = ${scene.merchant.id} and (action like '%.update' or action in ('customer.edit', 'messages.template'))`;
    expect(trail).toHaveLength(1);
  });

  test('can be saved again after saving it, and after reloading it', async () => {
    const { read, save } = await create(await createCampaignScene(database));
    const saved = await save('B', (await read()).revision);
    expect(saved.revision).toBe((await read()).revision);
    await save('C', saved.revision);
    expect(await refusalOf(save('D', saved.revision))).toEqual(meanwhile);
    await save('D', (await read()).revision);
    expect((await read()).name).toBe('D');
  });
});

test('changes outside of the form cause no conflict: the order, issued vouchers, a pause', async () => {
  const scene = await createCampaignScene(database);
  const { packages, campaigns, menu } = scene.call;
  const first = await packages.create({ ...hundred, name: 'First' });
  const second = await packages.create({ ...hundred, name: 'Second' });
  const campaignId = await scene.addCampaign();
  const { categoryId } = await menu.createCategory({ name: 'Food' });
  const { itemId: a } = await menu.createItem({ categoryId, plu: 'A', name: 'A', price: 1 });
  const { itemId: b } = await menu.createItem({ categoryId, plu: 'B', name: 'B', price: 1 });
  const revisions = async () =>
    [await packages.get(first), await campaigns.get({ campaignId }), await menu.item({ itemId: a })].map(
      ({ revision }) => revision,
    );
  const opened = await revisions();
  await packages.reorder({ packageIds: [second.packageId, first.packageId] });
  await scene.issueTo(campaignId, await scene.addCustomers(2));
  await campaigns.setPaused({ campaignId, isPaused: true });
  await menu.orderItems({ categoryId, itemIds: [b, a] });
  expect(await revisions()).toEqual(opened);
});

test('a package’s or campaign’s stores count, in whatever order they are given', async () => {
  const { call, merchant } = await createCampaignScene(database);
  const [north, south] = merchant.stores.map(({ id }) => id) as [string, string];
  const atBoth = { ...hundred, name: 'A', allStores: false, storeIds: [south, north] };
  const { packageId } = await call.packages.create(atBoth);
  const opened = (await call.packages.get({ packageId })).revision;
  const save = (storeIds: string[]) =>
    call.packages.update({ packageId, package: { ...atBoth, storeIds }, revision: opened });
  const again = await save([north, south]);
  expect(again.revision).toBe(opened);
  const fewer = await save([north]);
  expect(fewer.revision).not.toBe(opened);
});

test('a phone number corrected meanwhile is not overwritten by a change of the name', async () => {
  const { call, addCustomers } = await createCampaignScene(database);
  const [customerId] = (await addCustomers(1)) as [string];
  const { customer, revision } = await call.customers.get({ customerId });
  const opened = { ...profileOf(customer), customerId, revision };
  await call.customers.edit({ ...opened, phone: '+6591230001' });
  expect(await refusalOf(call.customers.edit({ ...opened, givenName: 'Ada' }))).toEqual(meanwhile);
  expect((await call.customers.get({ customerId })).customer).toEqual({ ...customer, phone: '+6591230001' });
});
