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
import { cashierProcedure, generalManagerProcedure, router } from './init';

const aCategory = z.strictObject({ categoryId: uuid });
const anItem = z.strictObject({ itemId: uuid });
const someItems = z.strictObject({ itemIds: itemIdsInput });
const anOptionGroup = z.strictObject({ optionGroupId: uuid });

export const menuRouter = router({
  categories: cashierProcedure.query(({ ctx }) => listCategories(ctx)),
  createCategory: generalManagerProcedure.input(categoryInput).mutation(({ ctx, input }) => createCategory(ctx, input)),
  updateCategory: generalManagerProcedure
    .input(categoryInput.extend({ ...aCategory.shape, revision }))
    .mutation(({ ctx, input }) => updateCategory(ctx, input)),
  archiveCategory: generalManagerProcedure.input(aCategory).mutation(({ ctx, input }) => archiveCategory(ctx, input)),
  orderCategories: generalManagerProcedure
    .input(z.strictObject({ categoryIds: orderInput }))
    .mutation(({ ctx, input }) => orderCategories(ctx, input)),

  categoryItems: cashierProcedure.input(aCategory).query(({ ctx, input }) => listCategoryItems(ctx, input)),
  searchItems: cashierProcedure.input(searchItemsInput).query(({ ctx, input }) => searchItems(ctx, input)),
  item: cashierProcedure.input(anItem).query(({ ctx, input }) => getItem(ctx, input)),
  createItem: generalManagerProcedure.input(itemInput).mutation(({ ctx, input }) => createItem(ctx, input)),
  updateItem: generalManagerProcedure
    .input(itemInput.safeExtend({ ...anItem.shape, revision }))
    .mutation(({ ctx, input }) => updateItem(ctx, input)),
  orderItems: generalManagerProcedure
    .input(aCategory.extend({ itemIds: orderInput }))
    .mutation(({ ctx, input }) => orderItems(ctx, input)),
  archiveItems: generalManagerProcedure.input(someItems).mutation(({ ctx, input }) => archiveItems(ctx, input)),
  restoreItems: generalManagerProcedure.input(someItems).mutation(({ ctx, input }) => restoreItems(ctx, input)),
  importItems: generalManagerProcedure.input(importItemsInput).mutation(({ ctx, input }) => importItems(ctx, input)),
  uploadPhoto: generalManagerProcedure.input(octetInputParser).mutation(({ ctx, input }) => uploadPhoto(ctx, input)),

  optionGroups: cashierProcedure.query(({ ctx }) => listOptionGroups(ctx)),
  optionGroup: cashierProcedure.input(anOptionGroup).query(({ ctx, input }) => getOptionGroup(ctx, input)),
  createOptionGroup: generalManagerProcedure
    .input(optionGroupInput)
    .mutation(({ ctx, input }) => createOptionGroup(ctx, input)),
  updateOptionGroup: generalManagerProcedure
    .input(optionGroupInput.safeExtend({ ...anOptionGroup.shape, revision }))
    .mutation(({ ctx, input }) => updateOptionGroup(ctx, input)),
  deleteOptionGroup: generalManagerProcedure
    .input(anOptionGroup)
    .mutation(({ ctx, input }) => deleteOptionGroup(ctx, input)),
});
