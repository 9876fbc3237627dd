/** A valid call of every operation on webhook endpoints, with the key that it needs. */
import { newId } from '@/server/domain/kernel/ids';
import { createKey } from '@/server/testing/factory';
import type { Api, Scene } from './harness';
import type { Call } from './operations';

export const endpointUrl = 'https://example.com/webhooks';

/** Nothing is sent to these, because no worker runs. Of a merchant's other endpoints, who may have ten, four stay. */
export async function createEndpointRows({ owner }: Api, merchantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const row = { merchant_id: merchantId, url: endpointUrl, queued_xid: 0, queued_seq: 0, secret: Buffer.alloc(48) };
  await owner`
    delete from webhook_endpoints where merchant_id = ${merchantId} and id not in
      (select id from webhook_endpoints where merchant_id = ${merchantId} order by id desc limit 4)`;
  await owner`insert into webhook_endpoints ${owner(ids.map((id) => ({ ...row, id })))}`;
  return ids;
}

export const createEndpointRow = async (api: Api, merchantId: string): Promise<string> =>
  (await createEndpointRows(api, merchantId, 1))[0] ?? '';

/** The key of a merchant that may manage its endpoints: of all stores, with the scope. */
export const createWebhooksKey = ({ owner }: Api, merchantId: string): Promise<string> =>
  createKey(owner, merchantId, null, { scopes: ['webhooks'] });

type Content = Pick<Call, 'method' | 'path' | 'body'>;
type ContentMaker = (newEndpoint: () => Promise<string>) => Promise<Content>;

async function callOf(api: Api, { merchant, key }: Scene, contentOf: ContentMaker): Promise<Call> {
  const webhooksKey = await createWebhooksKey(api, merchant.id);
  const keys = new Map([key, merchant.key].map((one) => [one, webhooksKey]));
  return { ...(await contentOf(() => createEndpointRow(api, merchant.id))), keys };
}

const ofEndpoint =
  (method: Call['method'], verb: string, body: Record<string, unknown>): ContentMaker =>
  async (newEndpoint) => ({ method, path: `/webhook-endpoints/${await newEndpoint()}${verb}`, body });

const contents: Record<string, ContentMaker> = {
  listWebhookEndpoints: async () => ({ method: 'GET', path: '/webhook-endpoints' }),
  createWebhookEndpoint: async () => ({ method: 'POST', path: '/webhook-endpoints', body: { url: endpointUrl } }),
  updateWebhookEndpoint: ofEndpoint('PATCH', '', { description: 'Till server' }),
  rotateWebhookSecret: ofEndpoint('POST', '/rotate-secret', {}),
  testWebhookEndpoint: ofEndpoint('POST', '/test', {}),
  deleteWebhookEndpoint: ofEndpoint('POST', '/delete', {}),
};

export const webhookOperations: Record<string, (api: Api, scene: Scene) => Promise<Call>> = Object.fromEntries(
  Object.entries(contents).map(([operation, contentOf]) => [operation, (api, scene) => callOf(api, scene, contentOf)]),
);
