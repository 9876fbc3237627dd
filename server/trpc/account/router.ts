import {
  changeOwnName,
  changeOwnPassword,
  invitationAcceptance,
  joinAsNewStaff,
  joinAsStaff,
  newStaff,
  ownName,
  passwordChange,
  passwordReset,
  passwordResetRequest,
  requestPasswordReset,
  resetPassword,
  signOutEverywhere,
} from '@/server/domain/access';
import { personProcedure, router, visitorProcedure } from './init';

export const accountRouter = router({
  requestPasswordReset: visitorProcedure
    .input(passwordResetRequest)
    .mutation(({ ctx: { services, client }, input }) => requestPasswordReset(services, { ...input, client })),
  resetPassword: visitorProcedure
    .input(passwordReset)
    .mutation(({ ctx: { services }, input }) => resetPassword(services, input)),
  joinAsNewStaff: visitorProcedure
    .input(newStaff)
    .mutation(({ ctx: { services }, input }) => joinAsNewStaff(services, input)),
  joinAsStaff: personProcedure
    .input(invitationAcceptance)
    .mutation(({ ctx: { services, person }, input }) => joinAsStaff(services, person, input)),
  changeOwnName: personProcedure
    .input(ownName)
    .mutation(({ ctx: { services, person }, input }) => changeOwnName(services, person, input)),
  changeOwnPassword: personProcedure
    .input(passwordChange)
    .mutation(({ ctx: { services, person }, input }) => changeOwnPassword(services, person, input)),
  signOutEverywhere: personProcedure.mutation(({ ctx: { services, person } }) => signOutEverywhere(services, person)),
});

export type AccountRouter = typeof accountRouter;
