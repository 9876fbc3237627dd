import {
  callFromTable,
  getTablePage,
  newOrder,
  placeTableOrder,
  tableCallInput,
  tableInput,
  withdrawCall,
} from '@/server/domain/qr-ordering';
import { followTable } from '@/server/live/table';
import { router, tableProcedure } from './init';

export const tableRouter = router({
  get: tableProcedure
    .input(tableInput)
    .query(({ ctx: { services, visit }, input }) => getTablePage(services, visit, input.language, input.guestId)),
  placeOrder: tableProcedure
    .input(newOrder)
    .mutation(({ ctx: { services, visit }, input }) => placeTableOrder(services, visit, input)),
  callStaff: tableProcedure
    .input(tableCallInput)
    .mutation(({ ctx: { services, visit }, input }) => callFromTable(services, visit, input)),
  withdrawCall: tableProcedure
    .input(tableCallInput)
    .mutation(({ ctx: { services, visit }, input }) => withdrawCall(services, visit, input)),
  /** The parts of the table's page to read again, as they change. */
  changes: tableProcedure.subscription(({ ctx: { services, visit }, signal }) => followTable(services, visit, signal)),
});
