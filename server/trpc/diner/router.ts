import { accountRouter } from './account';
import { billRouter } from './bill';
import { cardRouter } from './card';
import { cartRouter } from './cart';
import { identityRouter } from './identity';
import { router } from './init';
import { tableRouter } from './table';
import { topUpsRouter } from './top-ups';

export const dinerRouter = router({
  identity: identityRouter,
  account: accountRouter,
  table: tableRouter,
  bill: billRouter,
  cart: cartRouter,
  card: cardRouter,
  topUps: topUpsRouter,
});

export type DinerRouter = typeof dinerRouter;
