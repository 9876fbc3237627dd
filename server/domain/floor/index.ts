/** The tables of stores, and the cards on them. */

export { callFromCard } from './call-from-card';
export { type CardPage, findBillOfCard, type MenuOfTable } from './card-page';
export { newCardToken } from './card-token';
export { listFloorCards } from './cards';
export { moveGuests } from './move-guests';
export {
  addTablesInput,
  arrangeTablesInput,
  changeTableInput,
  floorCardsInput,
  moveGuestsInput,
  staffTableInput,
  staffTablesInput,
  storeTablesInput,
} from './schemas';
export { startOrdering } from './start-ordering';
export { addTables, arrangeTables, changeTable, listTables, removeTables, replaceCard } from './tables';
