import { ownNameInput, setOwnMessages, setOwnName, wantsMessagesInput } from '@/server/domain/customers';
import { dinerHistoryInput, getAccount, getHistory, pinInput, requestPinCode, setPin } from '@/server/domain/diners';
import { customerProcedure, router } from './init';

export const accountRouter = router({
  get: customerProcedure.query(({ ctx: { services, diner } }) => getAccount(services, diner)),
  history: customerProcedure
    .input(dinerHistoryInput)
    .query(({ ctx: { services, diner }, input }) => getHistory(services, diner, input)),
  requestPinCode: customerProcedure.mutation(({ ctx: { services, diner, client } }) =>
    requestPinCode(services, diner, client),
  ),
  setMessages: customerProcedure
    .input(wantsMessagesInput)
    .mutation(({ ctx: { services, diner }, input }) => setOwnMessages(services, diner, input)),
  setName: customerProcedure
    .input(ownNameInput)
    .mutation(({ ctx: { services, diner }, input }) => setOwnName(services, diner, input)),
  setPin: customerProcedure
    .input(pinInput)
    .mutation(({ ctx: { services, diner }, input }) => setPin(services, diner, input)),
});
