/** Endpoints of merchants that events are sent to (Standard Webhooks), and what was sent. */

export { allowsOwnMachine } from './check-url';
export {
  deliverBatch,
  endpointsDue,
  type WebhookResult,
  type WebhookSender,
} from './deliver';
export { getDelivery, listDeliveries, resend, resendSpan, sendTest } from './deliveries';
export {
  changeEndpoint,
  countFailingEndpoints,
  createEndpoint,
  type EndpointKey,
  getEndpoint,
  listEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from './endpoints';
export {
  changeEndpointInput,
  createEndpointInput,
  deliveryInput,
  endpointInput,
  listDeliveriesInput,
  resendSpanInput,
} from './schemas';
