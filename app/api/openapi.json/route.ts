import { env } from '@/server/environment/env';
import { openApiDocument } from '@/server/rest/openapi';

let document: string | undefined;

/** The OpenAPI 3.1 document of the POS REST API. */
export function GET(): Response {
  const { apiOrigin, APP_ENV } = env();
  document ??= JSON.stringify(openApiDocument(apiOrigin, APP_ENV === 'production' ? 'live' : 'sandbox'));
  return new Response(document, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' },
  });
}
export const dynamic = 'force-dynamic';
