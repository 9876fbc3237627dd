import {
  addTables,
  addTablesInput,
  arrangeTables,
  arrangeTablesInput,
  changeTable,
  changeTableInput,
  floorCardsInput,
  listFloorCards,
  listTables,
  moveGuests,
  moveGuestsInput,
  removeTables,
  replaceCard,
  staffTableInput,
  staffTablesInput,
  storeTablesInput,
} from '@/server/domain/floor';
import { cashierProcedure, managerProcedure, router } from './init';

export const tablesRouter = router({
  list: cashierProcedure.input(storeTablesInput).query(({ ctx, input }) => listTables(ctx, input)),
  cards: cashierProcedure.input(floorCardsInput).query(({ ctx, input }) => listFloorCards(ctx, input)),
  add: managerProcedure.input(addTablesInput).mutation(({ ctx, input }) => addTables(ctx, input)),
  change: managerProcedure.input(changeTableInput).mutation(({ ctx, input }) => changeTable(ctx, input)),
  arrange: managerProcedure.input(arrangeTablesInput).mutation(({ ctx, input }) => arrangeTables(ctx, input)),
  remove: managerProcedure.input(staffTablesInput).mutation(({ ctx, input }) => removeTables(ctx, input)),
  moveGuests: cashierProcedure.input(moveGuestsInput).mutation(({ ctx, input }) => moveGuests(ctx, input)),
  replaceCard: managerProcedure.input(staffTableInput).mutation(({ ctx, input }) => replaceCard(ctx, input)),
});
