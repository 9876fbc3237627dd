import {
  changeEndpointByKey,
  changeEndpointByKeyInput,
  createEndpointByKey,
  createEndpointByKeyInput,
  createEndpointByKeyOutput,
  endpointByKeyInput,
  endpointByKeyOutput,
  listEndpointsByKey,
  listEndpointsByKeyInput,
  listEndpointsByKeyOutput,
  removeEndpointByKey,
  removeEndpointByKeyOutput,
  rotateSecretByKey,
  rotateSecretByKeyOutput,
  testEndpointByKey,
  testEndpointByKeyOutput,
} from '@/server/domain/webhooks';
import { posProcedure, router } from './init';

const tags = ['Webhook endpoints'];
const endpointId = '01981f2e-b3d4-7a61-8c05-9e4f2b6d1a37';
const endpoint = {
  endpointId,
  url: 'https://pos.example.com/webhooks',
  description: 'Till server',
  eventTypes: ['order.placed', 'transaction.completed'],
  state: 'enabled',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: '2026-11-20T11:42:07.318Z',
};
const secret = 'whsec_bG95YWx0eS1vcmRlcmluZy1leGFtcGxlLXNlY3JldCE=';

/** All need the scope, the list, too: an address may contain a secret. Only merchant-wide keys can have it. */
export const webhookEndpointsRouter = router({
  list: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'GET',
        path: '/webhook-endpoints',
        operationId: 'listWebhookEndpoints',
        tags,
        summary: 'List webhook endpoints',
        description: 'Lists all endpoints of the merchant, those that owners created in the back office, too.',
      },
      example: { answer: { items: [endpoint] } },
    })
    .input(listEndpointsByKeyInput)
    .output(listEndpointsByKeyOutput)
    .query(({ ctx }) => listEndpointsByKey(ctx)),

  create: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints',
        operationId: 'createWebhookEndpoint',
        tags,
        summary: 'Create a webhook endpoint',
        description:
          'Creates an endpoint, which gets the events from now on. `secret` is in this response only. A merchant has up to ' +
          'ten endpoints. A repeat creates another one: if no response arrives, list the endpoints, and rotate the secret of the ' +
          'one that was created.',
      },
      example: {
        request: { url: endpoint.url, description: endpoint.description, eventTypes: endpoint.eventTypes },
        answer: { ...endpoint, secret },
      },
    })
    .input(createEndpointByKeyInput)
    .output(createEndpointByKeyOutput)
    .mutation(({ ctx, input }) => createEndpointByKey(ctx, input)),

  change: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'PATCH',
        path: '/webhook-endpoints/{endpointId}',
        operationId: 'updateWebhookEndpoint',
        tags,
        summary: 'Change a webhook endpoint',
        description:
          'Changes the fields that you send. Waiting events go to the new address. `state: paused` lets events wait, and ' +
          '`state: enabled` resumes: after a pause with what waited, of a disabled endpoint with what happens from now on.',
      },
      errors: ['webhook_endpoint_not_found'],
      example: {
        request: { endpointId, eventTypes: ['order.placed'], state: 'paused' },
        answer: { ...endpoint, eventTypes: ['order.placed'], state: 'paused' },
      },
    })
    .input(changeEndpointByKeyInput)
    .output(endpointByKeyOutput)
    .mutation(({ ctx, input }) => changeEndpointByKey(ctx, input)),

  rotateSecret: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/rotate-secret',
        operationId: 'rotateWebhookSecret',
        tags,
        summary: "Rotate a webhook endpoint's secret",
        description:
          'Gives the endpoint a new secret, which is in this response only. For 24 hours, requests are signed with the one ' +
          'before, too. A repeat rotates again, and ends the secret that your system still uses: if no response arrives, ' +
          'repeat once, and store the new secret at once.',
      },
      errors: ['webhook_endpoint_not_found'],
      example: {
        request: { endpointId },
        answer: { endpointId, secret, previousSecretUntil: '2026-11-21T11:42:07.318Z' },
      },
    })
    .input(endpointByKeyInput)
    .output(rotateSecretByKeyOutput)
    .mutation(({ ctx, input }) => rotateSecretByKey(ctx, input)),

  test: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/test',
        operationId: 'testWebhookEndpoint',
        tags,
        summary: 'Send a test event',
        description:
          'Sends an event of the type `webhook.test` to the endpoint, once, within about two seconds. The back office shows ' +
          'what the endpoint answered.',
      },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_off'],
      example: {
        request: { endpointId },
        answer: { endpointId, eventId: '01981f2e-b4a0-7f18-93d2-6c7e1a5b0d49' },
      },
    })
    .input(endpointByKeyInput)
    .output(testEndpointByKeyOutput)
    .mutation(({ ctx, input }) => testEndpointByKey(ctx, input)),

  remove: posProcedure
    .meta({
      scope: 'webhooks',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/delete',
        operationId: 'deleteWebhookEndpoint',
        tags,
        summary: 'Delete a webhook endpoint',
        description:
          'Deletes the endpoint with its deliveries. What waits for it is not sent. A repeat gets `webhook_endpoint_not_found`.',
      },
      errors: ['webhook_endpoint_not_found'],
      example: { request: { endpointId }, answer: { endpointId } },
    })
    .input(endpointByKeyInput)
    .output(removeEndpointByKeyOutput)
    .mutation(({ ctx, input }) => removeEndpointByKey(ctx, input)),
});
