import {
  changeOwnName,
  changeOwnPassword,
  endOtherSessions,
  endSession,
  invitationAcceptance,
  joinAsNewStaff,
  joinAsStaff,
  listSessions,
  newStaff,
  ownName,
  passwordChange,
  passwordReset,
  passwordResetRequest,
  requestPasswordReset,
  resetPassword,
  sessionKey,
  signOutEverywhere,
} from '@/server/domain/access';
import { personProcedure, router, visitorProcedure } from './init';

export const accountRouter = router({
  requestPasswordReset: visitorProcedure
    .input(passwordResetRequest)
    .mutation(({ ctx: { services, browser }, input }) => requestPasswordReset(services, browser, input)),
  resetPassword: visitorProcedure
    .input(passwordReset)
    .mutation(({ ctx: { services, browser }, input }) => resetPassword(services, browser, input)),
  joinAsNewStaff: visitorProcedure
    .input(newStaff)
    .mutation(({ ctx: { services, browser }, input }) => joinAsNewStaff(services, browser, input)),
  joinAsStaff: personProcedure
    .input(invitationAcceptance)
    .mutation(({ ctx: { services, person }, input }) => joinAsStaff(services, person, input)),
  changeOwnName: personProcedure
    .input(ownName)
    .mutation(({ ctx: { services, person }, input }) => changeOwnName(services, person, input)),
  changeOwnPassword: personProcedure
    .input(passwordChange)
    .mutation(({ ctx: { services, browser, person }, input }) => changeOwnPassword(services, browser, person, input)),
  sessions: personProcedure.query(({ ctx: { services, person } }) => listSessions(services, person)),
  endSession: personProcedure
    .input(sessionKey)
    .mutation(({ ctx: { services, person }, input }) => endSession(services, person, input)),
  endOtherSessions: personProcedure.mutation(({ ctx: { services, person } }) => endOtherSessions(services, person)),
  signOutEverywhere: personProcedure.mutation(({ ctx: { services, person } }) => signOutEverywhere(services, person)),
});

export type AccountRouter = typeof accountRouter;
