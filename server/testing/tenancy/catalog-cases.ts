/** Like `staff-cases.ts`, for a merchant's offers: menu, packages, campaigns and vouchers. */
import { newId } from '@/server/domain/kernel/ids';
import { allCustomers } from '@/server/domain/vouchers/campaign-schemas';
import { fiveOff } from '../campaigns';
import { noInput, pages } from './pages';
import { samplePicture } from './picture';
import type { TenancyStage } from './stage';

const itemOf = async (s: TenancyStage) => ({
  categoryId: s.categoryId,
  plu: await s.untakenPlu(),
  name: s.unique(),
  price: 500,
  allStores: false,
  storeIds: [s.north.id],
  optionGroupIds: [s.optionGroupId],
  photoId: s.photoId,
});
const groupOf = (s: TenancyStage, rest: object = {}) => ({
  name: s.unique(),
  minimum: 0,
  maximum: 1,
  options: [{ ...rest, name: s.unique(), price: 100, plu: s.unique() }],
});
const packageOf = (s: TenancyStage) => ({
  kind: 'fixed' as const,
  name: s.unique(),
  amount: 1_000,
  bonusAmount: 100,
  bonusExpiresInDays: null,
  allStores: false,
  storeIds: [s.north.id],
  validFrom: null,
  validUntil: null,
});
const segmentOf = (s: TenancyStage) => ({
  ...allCustomers,
  lastVisitedStoreId: s.north.id,
  boughtCategoryId: s.categoryId,
});
const campaignOf = (s: TenancyStage) => ({
  ...fiveOff,
  name: s.unique(),
  unit: 'ItemDollarValue' as const,
  plus: [s.unique()],
  allStores: false,
  storeIds: [s.north.id],
  segment: segmentOf(s),
});

const menu = {
  'menu.categories': noInput,
  'menu.createCategory': (s: TenancyStage) => ({ name: s.unique() }),
  'menu.updateCategory': async (s: TenancyStage) => {
    const categoryId = await s.newCategory();
    const category = (await s.call.menu.categories()).find((one) => one.categoryId === categoryId);
    return { categoryId, name: s.unique(), revision: category?.revision };
  },
  'menu.archiveCategory': async (s: TenancyStage) => ({ categoryId: await s.newCategory() }),
  'menu.orderCategories': async (s: TenancyStage) => ({
    categoryIds: (await s.call.menu.categories()).map(({ categoryId }) => categoryId),
  }),
  'menu.categoryItems': ({ categoryId }: TenancyStage) => ({ categoryId }),
  'menu.searchItems': async ({ newItem }: TenancyStage) => {
    const { plu, itemId } = await newItem();
    return pages('A', itemId).map((page) => ({ search: plu, ...page }));
  },
  'menu.item': async ({ newItem }: TenancyStage) => ({ itemId: (await newItem()).itemId }),
  'menu.createItem': itemOf,
  'menu.updateItem': async (s: TenancyStage) => {
    const { itemId } = await s.newItem();
    return { ...(await itemOf(s)), itemId, revision: (await s.call.menu.item({ itemId })).revision };
  },
  'menu.orderItems': async (s: TenancyStage) => {
    const categoryId = await s.newCategory();
    return { categoryId, itemIds: [(await s.newItem(categoryId)).itemId] };
  },
  'menu.archiveItems': async ({ newItem }: TenancyStage) => ({ itemIds: [(await newItem()).itemId] }),
  'menu.restoreItems': async ({ newItem }: TenancyStage) => ({ itemIds: [(await newItem()).itemId] }),
  'menu.importItems': (s: TenancyStage) => ({
    file: btoa(`category,plu,name,price\n${s.unique()},${s.unique()},${s.unique()},1.00\n`),
    dryRun: false,
  }),
  'menu.uploadPhoto': samplePicture,
  'menu.optionGroups': noInput,
  'menu.optionGroup': ({ optionGroupId }: TenancyStage) => ({ optionGroupId }),
  'menu.createOptionGroup': (s: TenancyStage) => [groupOf(s), groupOf(s, { optionId: s.optionId })],
  'menu.updateOptionGroup': async (s: TenancyStage) => {
    const { optionGroupId, optionId } = await s.newOptionGroup();
    const { revision } = await s.call.menu.optionGroup({ optionGroupId });
    return { optionGroupId, revision, ...groupOf(s, { optionId }) };
  },
  'menu.deleteOptionGroup': async ({ newOptionGroup }: TenancyStage) => ({
    optionGroupId: (await newOptionGroup()).optionGroupId,
  }),
};

const packages = {
  'packages.list': () => ({}),
  'packages.get': ({ packageId }: TenancyStage) => ({ packageId }),
  'packages.create': packageOf,
  'packages.update': async (s: TenancyStage) => {
    const { packageId } = await s.call.packages.create(packageOf(s));
    return { packageId, package: packageOf(s), revision: (await s.call.packages.get({ packageId })).revision };
  },
  'packages.setArchived': async (s: TenancyStage) => ({
    ...(await s.call.packages.create(packageOf(s))),
    isArchived: true,
  }),
  'packages.reorder': async (s: TenancyStage) => ({
    packageIds: (await s.call.packages.list({})).map(({ packageId }) => packageId),
  }),
};

const vouchers = {
  'campaigns.list': (s: TenancyStage) => pages(s.campaignId).map((page) => ({ search: s.word, ...page })),
  'campaigns.countUntranslated': noInput,
  'campaigns.get': ({ campaignId }: TenancyStage) => ({ campaignId }),
  'campaigns.create': campaignOf,
  'campaigns.update': async (s: TenancyStage) => {
    const campaignId = await s.newCampaign();
    return { campaignId, campaign: campaignOf(s), revision: (await s.call.campaigns.get({ campaignId })).revision };
  },
  'campaigns.setPaused': async ({ newCampaign }: TenancyStage) => ({ campaignId: await newCampaign(), isPaused: true }),
  'campaigns.setArchived': async (s: TenancyStage) => ({ campaignId: await s.newCampaign(), isArchived: true }),
  'campaigns.pluChoices': async ({ newItem }: TenancyStage) => {
    const { plu } = await newItem();
    return [{ search: plu }, { plus: [plu] }];
  },
  'vouchers.list': ({ campaignId, voucherId }: TenancyStage) =>
    pages(voucherId).map((page) => ({ campaignId, ...page })),
  'vouchers.findRecipients': ({ customer: { id, phone, email } }: TenancyStage) =>
    [id, phone, email].map((line) => ({ lines: [line] })),
  'vouchers.countSegment': (s: TenancyStage) => ({ segment: segmentOf(s), after: s.customer.id }),
  'vouchers.givable': noInput,
  'vouchers.give': async (s: TenancyStage) => {
    const { campaignId } = await s.call.campaigns.create({ ...fiveOff, name: s.unique() });
    return { campaignId, issueId: newId(), customerId: s.customer.id };
  },
  'vouchers.issue': async (s: TenancyStage) => {
    const { campaignId } = await s.call.campaigns.create({ ...fiveOff, name: s.unique() });
    const audiences = [
      { kind: 'customers', customerIds: [s.customer.id] },
      { kind: 'segment', segment: segmentOf(s), expected: null },
    ];
    return audiences.map((audience) => ({ campaignId, issueId: newId(), audience }));
  },
  'vouchers.cancel': async (s: TenancyStage) => ({ voucherId: (await s.newVoucher()).id, reason: 'Asked for' }),
};

export const catalogCases = { ...menu, ...packages, ...vouchers };
