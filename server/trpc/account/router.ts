import {
  addAuthenticator,
  addPasskey,
  changeOwnName,
  changeOwnPassword,
  codeInput,
  confirmWithPassword,
  confirmWithProof,
  endOtherSessions,
  endSession,
  finishSignIn,
  invitationAcceptance,
  joinAsNewStaff,
  joinAsStaff,
  listSecondFactors,
  listSessions,
  newAuthenticator,
  newAuthenticatorInput,
  newPasskey,
  newPasskeyInput,
  newStaff,
  ownName,
  passkeyInput,
  passkeyKey,
  passkeyName,
  passwordChange,
  passwordProof,
  passwordReset,
  passwordResetRequest,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  requestPasskey,
  requestPasswordReset,
  resetPassword,
  sessionKey,
  signOutEverywhere,
} from '@/server/domain/access';
import { confirmedProcedure, personProcedure, router, visitorProcedure, waitingProcedure } from './init';

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
  signOutEverywhere: personProcedure.mutation(({ ctx: { services, browser, person } }) =>
    signOutEverywhere(services, browser, person),
  ),

  finishSignIn: waitingProcedure
    .input(codeInput)
    .mutation(({ ctx: { services, browser, waiting }, input }) => finishSignIn(services, browser, waiting, input)),
  finishSignInWithPasskey: waitingProcedure
    .input(passkeyInput)
    .mutation(({ ctx: { services, browser, waiting }, input }) => finishSignIn(services, browser, waiting, input)),
  requestPasskey: visitorProcedure.query(({ ctx: { services } }) => requestPasskey(services)),
  newPasskey: confirmedProcedure.mutation(({ ctx: { services, person } }) => newPasskey(services, person)),
  addPasskey: confirmedProcedure
    .input(newPasskeyInput)
    .mutation(({ ctx: { services, browser, person }, input }) => addPasskey(services, browser, person, input)),
  renamePasskey: personProcedure
    .input(passkeyName)
    .mutation(({ ctx: { services, person }, input }) => renamePasskey(services, person, input)),
  removePasskey: confirmedProcedure
    .input(passkeyKey)
    .mutation(({ ctx: { services, person }, input }) => removePasskey(services, person, input)),
  confirmWithCode: personProcedure
    .input(codeInput)
    .mutation(({ ctx: { services, browser, person }, input }) => confirmWithProof(services, browser, person, input)),
  confirmWithPasskey: personProcedure
    .input(passkeyInput)
    .mutation(({ ctx: { services, browser, person }, input }) => confirmWithProof(services, browser, person, input)),
  confirmWithPassword: personProcedure
    .input(passwordProof)
    .mutation(({ ctx: { services, person }, input }) => confirmWithPassword(services, person, input)),
  /** Requires a recent proof of who is there, before a file of customers, which is no procedure. */
  checkConfirmed: confirmedProcedure.query(() => {}),
  secondFactors: personProcedure.query(({ ctx: { services, person } }) => listSecondFactors(services, person)),
  newAuthenticator: confirmedProcedure.mutation(({ ctx: { services, person } }) => newAuthenticator(services, person)),
  addAuthenticator: confirmedProcedure
    .input(newAuthenticatorInput)
    .mutation(({ ctx: { services, person }, input }) => addAuthenticator(services, person, input)),
  removeAuthenticator: confirmedProcedure.mutation(({ ctx: { services, person } }) =>
    removeAuthenticator(services, person),
  ),
  renewRecoveryCodes: confirmedProcedure.mutation(({ ctx: { services, person } }) =>
    renewRecoveryCodes(services, person),
  ),
});

export type AccountRouter = typeof accountRouter;
