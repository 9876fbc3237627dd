import type { SwaggerRequest } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import type { OpenApiDocument } from './open-api-document';

interface Media {
  example?: Record<string, unknown>;
  /** Templates for the fields that need a new value each time. */
  'x-fresh'?: Record<string, string>;
}

function mediaOf({ paths, servers }: OpenApiDocument, url: string): Media | undefined {
  const { pathname } = new URL(url);
  const base = new URL(servers?.[0]?.url ?? url).pathname;
  const operation = paths[pathname.slice(base.length)]?.post as
    | { requestBody?: { content: Record<string, Media> } }
    | undefined;
  return operation?.requestBody?.content['application/json'];
}

/**
 * Puts a new value into each field that needs one, such as `transactionId`, if it still has the example's. So the
 * example can be sent repeatedly.
 */
export function withFreshIds(document: OpenApiDocument, request: SwaggerRequest): SwaggerRequest {
  const { 'x-fresh': fresh, example } = mediaOf(document, request.url) ?? {};
  if (!fresh || typeof request.body !== 'string') return request;
  let body = request.body;
  for (const [name, template] of Object.entries(fresh)) {
    const sample = JSON.stringify(example?.[name]);
    const value = JSON.stringify(template.replace('{fresh}', crypto.randomUUID()));
    body = body.replace(new RegExp(`("${name}"\\s*:\\s*)${sample}`), (_, start: string) => start + value);
  }
  return Object.assign(request, { body });
}
