/** Merchants' endpoints to which events are sent (Standard Webhooks), and what was sent. */

export { allowsOwnMachine } from './check-url';
export {
  deliverBatch,
  endpointsDue,
  type WebhookResult,
  type WebhookSender,
} from './deliver';
export { getDelivery, listDeliveries, resendDelivery, resendSpan, sendTest } from './deliveries';
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
