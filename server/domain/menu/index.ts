/** Categories, items, modifier groups, photos, and their import. */

export { archiveItems, orderItems, restoreItems } from './arrange-items';
export {
  archiveCategory,
  type Category,
  createCategory,
  listCategories,
  orderCategories,
  updateCategory,
} from './categories';
export { everyStore, listSeparator, printPrice } from './csv-file';
export { importItems } from './import-items';
export { exportItems, getItem, listCategoryItems, searchItems } from './items';
export {
  createOptionGroup,
  deleteOptionGroup,
  getOptionGroup,
  listOptionGroups,
  updateOptionGroup,
} from './option-groups';
export { forgetUnusedPhotos, readPhoto, uploadPhoto } from './photos';
export { createItem, updateItem } from './save-item';
export {
  categoryInput,
  type ItemInput,
  importItemsInput,
  itemIdsInput,
  itemInput,
  type OptionGroupInput,
  optionGroupInput,
  orderInput,
  searchItemsInput,
} from './schemas';
