import {
  codeProof,
  codeRequest,
  describeDiner,
  joinInput,
  joinProgramme,
  requestCode,
  verifyCode,
} from '@/server/domain/diners';
import { signOut } from '@/server/domain/identity';
import { dinerProcedure, router, visitorProcedure } from './init';

export const identityRouter = router({
  me: visitorProcedure.query(({ ctx: { services, merchant, session } }) =>
    describeDiner(services, merchant, session.read(merchant.id)),
  ),
  requestCode: visitorProcedure
    .input(codeRequest)
    .mutation(({ ctx: { services, visitor }, input }) => requestCode(services, visitor, input)),
  verifyCode: visitorProcedure.input(codeProof).mutation(async ({ ctx: { services, visitor, session }, input }) => {
    const { token, isCustomer } = await verifyCode(services, visitor, input);
    session.write(visitor.merchant.id, token);
    return { isCustomer };
  }),
  join: dinerProcedure
    .input(joinInput)
    .mutation(({ ctx: { services, diner }, input }) => joinProgramme(services, diner, input)),
  signOut: dinerProcedure.mutation(async ({ ctx: { services, diner, session } }) => {
    await signOut(services, diner);
    session.clear(diner.merchant.id);
  }),
});
