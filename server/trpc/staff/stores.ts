import {
  changeStore,
  changeStoreInput,
  closeStore,
  createStore,
  createStoreInput,
  listStores,
  reopenStore,
  storeInput,
} from '@/server/domain/merchants';
import { cashierProcedure, managerProcedure, router } from './init';

export const storesRouter = router({
  list: cashierProcedure.query(({ ctx }) => listStores(ctx)),
  create: managerProcedure.input(createStoreInput).mutation(({ ctx, input }) => createStore(ctx, input)),
  change: managerProcedure.input(changeStoreInput).mutation(({ ctx, input }) => changeStore(ctx, input)),
  close: managerProcedure.input(storeInput).mutation(({ ctx, input }) => closeStore(ctx, input)),
  reopen: managerProcedure.input(storeInput).mutation(({ ctx, input }) => reopenStore(ctx, input)),
});
