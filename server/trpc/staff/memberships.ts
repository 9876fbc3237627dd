import {
  changeRole,
  invitation,
  invitationAgain,
  invitationKey,
  inviteStaff,
  listStaff,
  removeStaff,
  resendInvitation,
  resetSecondFactor,
  revokeInvitation,
  roleChange,
  secondFactorDemand,
  setSecondFactorDemand,
  setStores,
  staffKey,
  storesChange,
} from '@/server/domain/access';
import { ownerProcedure, router, sensitiveProcedure } from './init';

export const membershipsRouter = router({
  list: ownerProcedure.query(({ ctx }) => listStaff(ctx)),
  changeRole: sensitiveProcedure.input(roleChange).mutation(({ ctx, input }) => changeRole(ctx, input)),
  setStores: sensitiveProcedure.input(storesChange).mutation(({ ctx, input }) => setStores(ctx, input)),
  remove: sensitiveProcedure.input(staffKey).mutation(({ ctx, input }) => removeStaff(ctx, input)),
  resetSecondFactor: sensitiveProcedure.input(staffKey).mutation(({ ctx, input }) => resetSecondFactor(ctx, input)),
  setSecondFactorDemand: sensitiveProcedure
    .input(secondFactorDemand)
    .mutation(({ ctx, input }) => setSecondFactorDemand(ctx, input)),
  invite: sensitiveProcedure.input(invitation).mutation(({ ctx, input }) => inviteStaff(ctx, input)),
  resendInvitation: sensitiveProcedure
    .input(invitationAgain)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input)),
  revokeInvitation: ownerProcedure.input(invitationKey).mutation(({ ctx, input }) => revokeInvitation(ctx, input)),
});
