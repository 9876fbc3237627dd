import { advanceClock } from '@/server/domain/automations';
import {
  advanceClockInput,
  changeSettings,
  changeSettingsInput,
  getSettings,
  pinCoverage,
  setPinRequired,
  setPinRequiredInput,
  settingsChoices,
} from '@/server/domain/merchants';
import { changeOrderingSettings, changeOrderingSettingsInput, getOrderingSettings } from '@/server/domain/qr-ordering';
import { cashierProcedure, ownerProcedure, router } from './init';

export const settingsRouter = router({
  get: cashierProcedure.query(({ ctx }) => getSettings(ctx)),
  change: ownerProcedure.input(changeSettingsInput).mutation(({ ctx, input }) => changeSettings(ctx, input)),
  ordering: cashierProcedure.query(({ ctx }) => getOrderingSettings(ctx)),
  changeOrdering: ownerProcedure
    .input(changeOrderingSettingsInput)
    .mutation(({ ctx, input }) => changeOrderingSettings(ctx, input)),
  choices: cashierProcedure.query(({ ctx }) => settingsChoices(ctx)),
  pinCoverage: ownerProcedure.query(({ ctx }) => pinCoverage(ctx)),
  advanceClock: ownerProcedure.input(advanceClockInput).mutation(({ ctx, input }) => advanceClock(ctx, input)),
  setPinRequired: ownerProcedure.input(setPinRequiredInput).mutation(({ ctx, input }) => setPinRequired(ctx, input)),
});
