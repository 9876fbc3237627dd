import { env } from '@/server/environment/env';
import { apiPrefix } from '@/server/rest/handler';
import collection from './collection.json';

/** A Postman collection of the POS REST API for this deployment, generated from its OpenAPI document. */
export function GET(): Response {
  const item = collection.item.filter(({ name }) => env().APP_ENV !== 'production' || name !== 'Sandbox');
  const variable = collection.variable.map(({ key, value }) =>
    key === 'baseUrl' ? { key, value: `${env().apiOrigin}${apiPrefix}` } : { key, value },
  );
  return Response.json(
    { ...collection, item, variable },
    { headers: { 'content-disposition': 'attachment; filename="loyalty-api.postman.json"' } },
  );
}
export const dynamic = 'force-dynamic';
