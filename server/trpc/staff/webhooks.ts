import {
  changeEndpoint,
  changeEndpointInput,
  createEndpoint,
  createEndpointInput,
  deliveryInput,
  endpointInput,
  getDelivery,
  getEndpoint,
  listDeliveries,
  listDeliveriesInput,
  listEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resendDelivery,
  resendSpan,
  resendSpanInput,
  resumeEndpoint,
  rotateSecret,
  sendTest,
} from '@/server/domain/webhooks';
import { ownerProcedure, router, sensitiveProcedure } from './init';

/** Sensitive, because events contain customers' data. */
export const webhooksRouter = router({
  list: ownerProcedure.query(({ ctx }) => listEndpoints(ctx)),
  get: ownerProcedure.input(endpointInput).query(({ ctx, input }) => getEndpoint(ctx, input)),
  create: sensitiveProcedure.input(createEndpointInput).mutation(({ ctx, input }) => createEndpoint(ctx, input)),
  change: sensitiveProcedure.input(changeEndpointInput).mutation(({ ctx, input }) => changeEndpoint(ctx, input)),
  rotateSecret: sensitiveProcedure.input(endpointInput).mutation(({ ctx, input }) => rotateSecret(ctx, input)),
  pause: ownerProcedure.input(endpointInput).mutation(({ ctx, input }) => pauseEndpoint(ctx, input)),
  resume: ownerProcedure.input(endpointInput).mutation(({ ctx, input }) => resumeEndpoint(ctx, input)),
  remove: sensitiveProcedure.input(endpointInput).mutation(({ ctx, input }) => removeEndpoint(ctx, input)),
  sendTest: ownerProcedure.input(endpointInput).mutation(({ ctx, input }) => sendTest(ctx, input)),
  deliveries: ownerProcedure.input(listDeliveriesInput).query(({ ctx, input }) => listDeliveries(ctx, input)),
  delivery: ownerProcedure.input(deliveryInput).query(({ ctx, input }) => getDelivery(ctx, input)),
  resend: ownerProcedure.input(deliveryInput).mutation(({ ctx, input }) => resendDelivery(ctx, input)),
  resendSpan: ownerProcedure.input(resendSpanInput).mutation(({ ctx, input }) => resendSpan(ctx, input)),
});
