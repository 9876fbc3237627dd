/** What is sold out, by store. */

export { endStockOuts } from './end';
export { isOut } from './entries';
export {
  listSoldOutInput,
  listStockOutsInput,
  listStockOutsOutput,
  markSoldOutInput,
  restoreInput,
  restoreOutput,
  restoreSoldOutInput,
  stockOutInput,
  stockOutOutput,
} from './schemas';
export { listSoldOut, markSoldOut, pageSoldOut, restoreSoldOut } from './sold-out';
export { listStockOuts, restoreItem, stockOut } from './stock-outs';
