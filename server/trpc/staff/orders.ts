import { getOrderBoard, listDoneOrders, setBoardOrderStatus } from '@/server/domain/qr-ordering/order-board';
import { doneOrdersInput, moveOrderInput, orderBoardInput } from '@/server/domain/qr-ordering/schemas';
import { cashierProcedure, router } from './init';

export const ordersRouter = router({
  board: cashierProcedure.input(orderBoardInput).query(({ ctx, input }) => getOrderBoard(ctx, input)),
  done: cashierProcedure.input(doneOrdersInput).query(({ ctx, input }) => listDoneOrders(ctx, input)),
  setStatus: cashierProcedure.input(moveOrderInput).mutation(({ ctx, input }) => setBoardOrderStatus(ctx, input)),
});
