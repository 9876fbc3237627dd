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
import { cashierProcedure, managerProcedure, router } from './init';

export const messagesRouter = router({
  list: cashierProcedure.input(listMessagesInput).query(({ ctx, input }) => listMessages(ctx, input)),
  templates: managerProcedure.query(({ ctx }) => getTemplates(ctx)),
  saveTemplate: managerProcedure
    .input(templateInput.safeExtend({ revision }))
    .mutation(({ ctx, input }) => saveTemplate(ctx, input)),
  setQuietHours: managerProcedure.input(quietHoursInput).mutation(({ ctx, input }) => setQuietHours(ctx, input)),
});
