import { env } from '@/server/process/env';
import { apiPrefix } from '@/server/rest/handler';
import collection from './collection.json';

/** A Postman collection of the POS REST API, made from its OpenAPI document, for this deployment. */
export function GET(): Response {
  const variable = collection.variable.map(({ key, value }) =>
    key === 'baseUrl' ? { key, value: `${env().PUBLIC_ORIGIN}${apiPrefix}` } : { key, value },
  );
  return Response.json(
    { ...collection, variable },
    { headers: { 'content-disposition': 'attachment; filename="loyalty-api.postman.json"' } },
  );
}
export const dynamic = 'force-dynamic';
