import { revision } from '@/server/domain/core/schemas';
import { listMessages } from '@/server/domain/messaging/list-messages';
import { listMessagesInput, quietHoursInput, templateInput } from '@/server/domain/messaging/schemas';
import { getTemplates, saveTemplate, setQuietHours } from '@/server/domain/messaging/templates';
import { cashierProcedure, managerProcedure, router } from './init';

export const messagesRouter = router({
  list: cashierProcedure.input(listMessagesInput).query(({ ctx, input }) => listMessages(ctx, input)),
  templates: managerProcedure.query(({ ctx }) => getTemplates(ctx)),
  saveTemplate: managerProcedure
    .input(templateInput.safeExtend({ revision }))
    .mutation(({ ctx, input }) => saveTemplate(ctx, input)),
  setQuietHours: managerProcedure.input(quietHoursInput).mutation(({ ctx, input }) => setQuietHours(ctx, input)),
});
