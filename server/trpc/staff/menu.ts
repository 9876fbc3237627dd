import { octetInputParser } from '@trpc/server/http';
import { z } from 'zod';
import { revision, uuid } from '@/server/domain/kernel/schemas';
import {
  archiveCategory,
  archiveItems,
  categoryInput,
  createCategory,
  createItem,
  createOptionGroup,
  deleteOptionGroup,
  getItem,
  getOptionGroup,
  importItems,
  importItemsInput,
  itemIdsInput,
  itemInput,
  listCategories,
  listCategoryItems,
  listOptionGroups,
  optionGroupInput,
  orderCategories,
  orderInput,
  orderItems,
  restoreItems,
  searchItems,
  searchItemsInput,
  updateCategory,
  updateItem,
  updateOptionGroup,
  uploadPhoto,
} from '@/server/domain/menu';
import { cashierProcedure, managerProcedure, router } from './init';

const aCategory = z.strictObject({ categoryId: uuid });
const anItem = z.strictObject({ itemId: uuid });
const someItems = z.strictObject({ itemIds: itemIdsInput });
const anOptionGroup = z.strictObject({ optionGroupId: uuid });

export const menuRouter = router({
  categories: cashierProcedure.query(({ ctx }) => listCategories(ctx)),
  createCategory: managerProcedure.input(categoryInput).mutation(({ ctx, input }) => createCategory(ctx, input)),
  updateCategory: managerProcedure
    .input(categoryInput.extend({ ...aCategory.shape, revision }))
    .mutation(({ ctx, input }) => updateCategory(ctx, input)),
  archiveCategory: managerProcedure.input(aCategory).mutation(({ ctx, input }) => archiveCategory(ctx, input)),
  orderCategories: managerProcedure
    .input(z.strictObject({ categoryIds: orderInput }))
    .mutation(({ ctx, input }) => orderCategories(ctx, input)),

  categoryItems: cashierProcedure.input(aCategory).query(({ ctx, input }) => listCategoryItems(ctx, input)),
  searchItems: cashierProcedure.input(searchItemsInput).query(({ ctx, input }) => searchItems(ctx, input)),
  item: cashierProcedure.input(anItem).query(({ ctx, input }) => getItem(ctx, input)),
  createItem: managerProcedure.input(itemInput).mutation(({ ctx, input }) => createItem(ctx, input)),
  updateItem: managerProcedure
    .input(itemInput.safeExtend({ ...anItem.shape, revision }))
    .mutation(({ ctx, input }) => updateItem(ctx, input)),
  orderItems: managerProcedure
    .input(aCategory.extend({ itemIds: orderInput }))
    .mutation(({ ctx, input }) => orderItems(ctx, input)),
  archiveItems: managerProcedure.input(someItems).mutation(({ ctx, input }) => archiveItems(ctx, input)),
  restoreItems: managerProcedure.input(someItems).mutation(({ ctx, input }) => restoreItems(ctx, input)),
  importItems: managerProcedure.input(importItemsInput).mutation(({ ctx, input }) => importItems(ctx, input)),
  uploadPhoto: managerProcedure.input(octetInputParser).mutation(({ ctx, input }) => uploadPhoto(ctx, input)),

  optionGroups: cashierProcedure.query(({ ctx }) => listOptionGroups(ctx)),
  optionGroup: cashierProcedure.input(anOptionGroup).query(({ ctx, input }) => getOptionGroup(ctx, input)),
  createOptionGroup: managerProcedure
    .input(optionGroupInput)
    .mutation(({ ctx, input }) => createOptionGroup(ctx, input)),
  updateOptionGroup: managerProcedure
    .input(optionGroupInput.safeExtend({ ...anOptionGroup.shape, revision }))
    .mutation(({ ctx, input }) => updateOptionGroup(ctx, input)),
  deleteOptionGroup: managerProcedure.input(anOptionGroup).mutation(({ ctx, input }) => deleteOptionGroup(ctx, input)),
});
