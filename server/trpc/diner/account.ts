import { setOwnMessages } from '@/server/domain/customers/opt-out';
import { wantsMessagesInput } from '@/server/domain/customers/schemas';
import { getAccount, getHistory } from '@/server/domain/diners/account';
import { requestCode } from '@/server/domain/diners/codes';
import { setPin } from '@/server/domain/diners/pin';
import { dinerHistoryInput, pinInput } from '@/server/domain/diners/schemas';
import { customerProcedure, router } from './init';

export const accountRouter = router({
  get: customerProcedure.query(({ ctx: { services, diner } }) => getAccount(services, diner)),
  history: customerProcedure
    .input(dinerHistoryInput)
    .query(({ ctx: { services, diner }, input }) => getHistory(services, diner, input)),
  requestPinCode: customerProcedure.mutation(({ ctx: { services, diner, client } }) =>
    requestCode(services, { merchant: diner.merchant, client }, { phone: diner.phone }),
  ),
  setMessages: customerProcedure
    .input(wantsMessagesInput)
    .mutation(({ ctx: { services, diner }, input }) => setOwnMessages(services, diner, input)),
  setPin: customerProcedure
    .input(pinInput)
    .mutation(({ ctx: { services, diner }, input }) => setPin(services, diner, input)),
});
