/** API keys, staff, sign-in, invitations: who may make requests, and with what rights. */

export { changeOwnName, changeOwnPassword, signOutEverywhere } from './account';
export { type ApiEnvironment, hashApiKey, type KeyCell, newApiKey } from './api-key';
export {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  setKeyAccess,
  setKeyLimits,
} from './api-keys';
export { type ApiRequest, deleteOldApiRequests, listApiRequests, saveApiRequests } from './api-requests';
export {
  authenticateKey,
  checkScope,
  hashPresentedKey,
  type KeyContext,
  loadPosContext,
  NetworkNotAllowed,
} from './authenticate';
export type { Browser } from './browser';
export { lacksDemandedFactor, memberContext, requireDemandedFactor, staffContext } from './context';
export { forgetExpired } from './forget-expired';
export { inviteStaff, resendInvitation, revokeInvitation } from './invite';
export { findInvitation, joinAsNewStaff, joinAsStaff } from './join';
export { type NeededScope, scopesNeeded, worksFrom } from './key-access';
export { changeRole, listStaff, removeStaff, setStores } from './memberships';
export { addPasskey, newPasskey, removePasskey, renamePasskey, requestPasskey } from './passkeys';
export { hashPassword } from './password';
export {
  findPasswordReset,
  openResetRequest,
  passwordResetTask,
  requestPasswordReset,
  resetPassword,
  sendPasswordReset,
} from './password-reset';
export { personId } from './person-id';
export { resetSecondFactor, resetSecondFactorByOperator } from './reset-second-factor';
export {
  codeInput,
  invitation,
  invitationAcceptance,
  invitationAgain,
  invitationKey,
  language,
  newAuthenticatorInput,
  newPasskeyInput,
  newStaff,
  ownName,
  passkeyInput,
  passkeyKey,
  passkeyName,
  passkeyResponse,
  passwordChange,
  passwordProof,
  passwordReset,
  passwordResetRequest,
  roleChange,
  secondFactorDemand,
  sessionKey,
  staffKey,
  storesChange,
} from './schemas';
export { setSecondFactorDemand } from './second-factor-demand';
export {
  addAuthenticator,
  listSecondFactors,
  newAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from './second-factors';
export {
  confirmWithPassword,
  confirmWithProof,
  findWaitingSession,
  finishSignIn,
  type SessionCookie,
  signInWithPasskey,
} from './second-step';
export { logRefusedRole, logUnknownKey } from './security-events';
export {
  endOtherSessions,
  endSession,
  findStaff,
  listSessions,
  type Membership,
  type Staff,
  sessionSeconds,
  signOut,
} from './sessions';
export { signIn } from './sign-in';
