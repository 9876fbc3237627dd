import {
  createApiKey,
  getApiKey,
  listApiKeys,
  listApiRequests,
  revokeApiKey,
  rotateApiKey,
  setKeyAccess,
  setKeyLimits,
} from '@/server/domain/access';
import {
  apiKeyInput,
  createApiKeyInput,
  listApiKeysInput,
  listApiRequestsInput,
  rotateApiKeyInput,
  setKeyAccessInput,
  setKeyLimitsInput,
} from '@/server/domain/merchants';
import { ownerProcedure, router, sensitiveProcedure } from './init';

export const apiKeysRouter = router({
  list: ownerProcedure.input(listApiKeysInput).query(({ ctx, input }) => listApiKeys(ctx, input)),
  get: ownerProcedure.input(apiKeyInput).query(({ ctx, input }) => getApiKey(ctx, input)),
  requests: ownerProcedure.input(listApiRequestsInput).query(({ ctx, input }) => listApiRequests(ctx, input)),
  create: sensitiveProcedure.input(createApiKeyInput).mutation(({ ctx, input }) => createApiKey(ctx, input)),
  setLimits: sensitiveProcedure.input(setKeyLimitsInput).mutation(({ ctx, input }) => setKeyLimits(ctx, input)),
  setAccess: sensitiveProcedure.input(setKeyAccessInput).mutation(({ ctx, input }) => setKeyAccess(ctx, input)),
  rotate: sensitiveProcedure.input(rotateApiKeyInput).mutation(({ ctx, input }) => rotateApiKey(ctx, input)),
  revoke: sensitiveProcedure.input(apiKeyInput).mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
});
