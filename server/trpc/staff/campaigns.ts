import { z } from 'zod';
import { revision } from '@/server/domain/kernel/schemas';
import {
  campaignIdInput,
  campaignInput,
  campaignListInput,
  countUntranslatedCampaigns,
  createCampaign,
  getCampaign,
  listCampaigns,
  listPluChoices,
  pluChoicesInput,
  setCampaignArchived,
  setCampaignPaused,
  updateCampaign,
} from '@/server/domain/vouchers';
import { generalManagerProcedure, managerProcedure, router } from './init';

export const campaignsRouter = router({
  list: managerProcedure.input(campaignListInput).query(({ ctx, input }) => listCampaigns(ctx, input)),
  countUntranslated: managerProcedure.query(({ ctx }) => countUntranslatedCampaigns(ctx)),
  get: managerProcedure.input(campaignIdInput).query(({ ctx, input }) => getCampaign(ctx, input)),
  create: generalManagerProcedure.input(campaignInput).mutation(({ ctx, input }) => createCampaign(ctx, input)),
  update: generalManagerProcedure
    .input(campaignIdInput.extend({ campaign: campaignInput, revision }))
    .mutation(({ ctx, input }) => updateCampaign(ctx, input)),
  setPaused: generalManagerProcedure
    .input(campaignIdInput.extend({ isPaused: z.boolean() }))
    .mutation(({ ctx, input }) => setCampaignPaused(ctx, input)),
  setArchived: generalManagerProcedure
    .input(campaignIdInput.extend({ isArchived: z.boolean() }))
    .mutation(({ ctx, input }) => setCampaignArchived(ctx, input)),
  pluChoices: generalManagerProcedure.input(pluChoicesInput).query(({ ctx, input }) => listPluChoices(ctx, input)),
});
