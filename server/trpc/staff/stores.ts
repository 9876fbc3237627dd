import {
  changeStore,
  changeStoreInput,
  closeStore,
  createStore,
  listStores,
  reopenStore,
  storeDetails,
  storeInput,
} from '@/server/domain/merchants';
import { cashierProcedure, managerProcedure, router } from './init';

export const storesRouter = router({
  list: cashierProcedure.query(({ ctx }) => listStores(ctx)),
  create: managerProcedure.input(storeDetails).mutation(({ ctx, input }) => createStore(ctx, input)),
  change: managerProcedure.input(changeStoreInput).mutation(({ ctx, input }) => changeStore(ctx, input)),
  close: managerProcedure.input(storeInput).mutation(({ ctx, input }) => closeStore(ctx, input)),
  reopen: managerProcedure.input(storeInput).mutation(({ ctx, input }) => reopenStore(ctx, input)),
});
