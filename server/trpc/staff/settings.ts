import { advanceClock } from '@/server/domain/merchants/advance-clock';
import { advanceClockInput, changeSettingsInput, setPinRequiredInput } from '@/server/domain/merchants/schemas';
import {
  changeSettings,
  getSettings,
  pinCoverage,
  setPinRequired,
  settingsChoices,
} from '@/server/domain/merchants/settings';
import { cashierProcedure, ownerProcedure, router } from './init';

export const settingsRouter = router({
  get: cashierProcedure.query(({ ctx }) => getSettings(ctx)),
  change: ownerProcedure.input(changeSettingsInput).mutation(({ ctx, input }) => changeSettings(ctx, input)),
  choices: cashierProcedure.query(({ ctx }) => settingsChoices(ctx)),
  pinCoverage: ownerProcedure.query(({ ctx }) => pinCoverage(ctx)),
  advanceClock: ownerProcedure.input(advanceClockInput).mutation(({ ctx, input }) => advanceClock(ctx, input)),
  setPinRequired: ownerProcedure.input(setPinRequiredInput).mutation(({ ctx, input }) => setPinRequired(ctx, input)),
});
