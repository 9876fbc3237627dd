import { listMessages } from '@/server/domain/messaging/list-messages';
import { listMessagesInput } from '@/server/domain/messaging/schemas';
import { cashierProcedure, router } from './init';

export const messagesRouter = router({
  list: cashierProcedure.input(listMessagesInput).query(({ ctx, input }) => listMessages(ctx, input)),
});
