import { homeFigures, needsAttention } from '@/server/domain/reports';
import { cashierProcedure, managerProcedure, router } from './init';

export const homeRouter = router({
  figures: managerProcedure.query(({ ctx }) => homeFigures(ctx)),
  attention: cashierProcedure.query(({ ctx }) => needsAttention(ctx)),
});
