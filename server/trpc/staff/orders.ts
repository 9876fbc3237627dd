import {
  acceptTable,
  answerCall,
  answerCallInput,
  clearOldOrders,
  clearOldOrdersInput,
  declineTable,
  doneOrdersInput,
  getOrderBoard,
  listDoneOrders,
  moveOrderInput,
  orderBoardInput,
  setBoardOrderStatus,
  undoBoardMove,
  undoMoveInput,
  waitingOrdersInput,
} from '@/server/domain/qr-ordering';
import { cashierProcedure, router } from './init';

export const ordersRouter = router({
  board: cashierProcedure.input(orderBoardInput).query(({ ctx, input }) => getOrderBoard(ctx, input)),
  done: cashierProcedure.input(doneOrdersInput).query(({ ctx, input }) => listDoneOrders(ctx, input)),
  setStatus: cashierProcedure.input(moveOrderInput).mutation(({ ctx, input }) => setBoardOrderStatus(ctx, input)),
  answerCall: cashierProcedure.input(answerCallInput).mutation(({ ctx, input }) => answerCall(ctx, input)),
  acceptTable: cashierProcedure.input(waitingOrdersInput).mutation(({ ctx, input }) => acceptTable(ctx, input)),
  declineTable: cashierProcedure.input(waitingOrdersInput).mutation(({ ctx, input }) => declineTable(ctx, input)),
  clearOld: cashierProcedure.input(clearOldOrdersInput).mutation(({ ctx, input }) => clearOldOrders(ctx, input)),
  undo: cashierProcedure.input(undoMoveInput).mutation(({ ctx, input }) => undoBoardMove(ctx, input)),
});
