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
import { cashierProcedure, generalManagerProcedure, router } from './init';

export const storesRouter = router({
  list: cashierProcedure.query(({ ctx }) => listStores(ctx)),
  create: generalManagerProcedure.input(createStoreInput).mutation(({ ctx, input }) => createStore(ctx, input)),
  change: generalManagerProcedure.input(changeStoreInput).mutation(({ ctx, input }) => changeStore(ctx, input)),
  close: generalManagerProcedure.input(storeInput).mutation(({ ctx, input }) => closeStore(ctx, input)),
  reopen: generalManagerProcedure.input(storeInput).mutation(({ ctx, input }) => reopenStore(ctx, input)),
});
