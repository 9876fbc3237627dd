/** Merchants' endpoints to which events are sent (Standard Webhooks), and what was sent. */

export {
  changeEndpointByKey,
  createEndpointByKey,
  listEndpointsByKey,
  removeEndpointByKey,
  rotateSecretByKey,
  testEndpointByKey,
} from './by-key';
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
  createEndpoint,
  type EndpointKey,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from './endpoints';
export { countFailingEndpoints, getEndpoint, listEndpoints } from './find-endpoints';
export {
  changeEndpointByKeyInput,
  changeEndpointInput,
  createEndpointByKeyInput,
  createEndpointByKeyOutput,
  createEndpointInput,
  deliveryInput,
  endpointByKeyInput,
  endpointByKeyOutput,
  endpointInput,
  listDeliveriesInput,
  listEndpointsByKeyInput,
  listEndpointsByKeyOutput,
  removeEndpointByKeyOutput,
  resendSpanInput,
  rotateSecretByKeyOutput,
  testEndpointByKeyOutput,
} from './schemas';
