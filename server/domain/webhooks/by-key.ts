/** What a key with the scope `webhooks` does with endpoints, as the REST API shows it. */
import type { z } from 'zod';
import type { PosContext } from '../kernel/context';
import { sendTest } from './deliveries';
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret } from './endpoints';
import { type Endpoint, listEndpoints } from './find-endpoints';
import type {
  ChangeEndpointByKeyInput,
  CreateEndpointByKeyInput,
  createEndpointByKeyOutput,
  EndpointOutput,
  rotateSecretByKeyOutput,
  testEndpointByKeyOutput,
} from './schemas';

interface Named {
  endpointId: string;
}

const isoOf = (time: Date | null) => time?.toISOString() ?? null;
const toOutput = (endpoint: Endpoint): EndpointOutput => ({
  ...endpoint,
  disabledAt: isoOf(endpoint.disabledAt),
  failingSince: isoOf(endpoint.failingSince),
  previousSecretUntil: isoOf(endpoint.previousSecretUntil),
  createdAt: endpoint.createdAt.toISOString(),
});

/** Lists all endpoints, those that people created, too. */
export const listEndpointsByKey = async (ctx: PosContext): Promise<{ items: EndpointOutput[] }> => ({
  items: (await listEndpoints(ctx)).map(toOutput),
});

/** As `createEndpoint`; for all types of events unless some are named. */
export async function createEndpointByKey(
  ctx: PosContext,
  { url, description = '', eventTypes = null }: CreateEndpointByKeyInput,
): Promise<z.infer<typeof createEndpointByKeyOutput>> {
  const { secret, ...endpoint } = await createEndpoint(ctx, { url, description, eventTypes });
  return { ...toOutput(endpoint), secret };
}

/** As `changeEndpoint`. */
export const changeEndpointByKey = async (ctx: PosContext, input: ChangeEndpointByKeyInput): Promise<EndpointOutput> =>
  toOutput(await changeEndpoint(ctx, input));

/** As `rotateSecret`. */
export async function rotateSecretByKey(
  ctx: PosContext,
  { endpointId }: Named,
): Promise<z.infer<typeof rotateSecretByKeyOutput>> {
  const { secret, previousSecretUntil } = await rotateSecret(ctx, { endpointId });
  return { endpointId, secret, previousSecretUntil: previousSecretUntil.toISOString() };
}

/** As `sendTest`. */
export const testEndpointByKey = async (
  ctx: PosContext,
  { endpointId }: Named,
): Promise<z.infer<typeof testEndpointByKeyOutput>> => ({ endpointId, ...(await sendTest(ctx, { endpointId })) });

/** As `removeEndpoint`. */
export async function removeEndpointByKey(ctx: PosContext, { endpointId }: Named): Promise<Named> {
  await removeEndpoint(ctx, { endpointId });
  return { endpointId };
}
