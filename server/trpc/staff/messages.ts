import { revision } from '@/server/domain/kernel/schemas';
import {
  getTemplates,
  listMessages,
  listMessagesInput,
  quietHoursInput,
  saveTemplate,
  setQuietHours,
  templateInput,
} from '@/server/domain/messaging';
import { cashierProcedure, generalManagerProcedure, managerProcedure, router } from './init';

export const messagesRouter = router({
  list: cashierProcedure.input(listMessagesInput).query(({ ctx, input }) => listMessages(ctx, input)),
  templates: managerProcedure.query(({ ctx }) => getTemplates(ctx)),
  saveTemplate: generalManagerProcedure
    .input(templateInput.safeExtend({ revision }))
    .mutation(({ ctx, input }) => saveTemplate(ctx, input)),
  setQuietHours: generalManagerProcedure.input(quietHoursInput).mutation(({ ctx, input }) => setQuietHours(ctx, input)),
});
