import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { verbatim } from '@/server/domain/kernel/say';
import { processLog } from '@/server/observe/log';
import { toErrorReply } from '@/server/rest/envelope';

/** Any other request below `/api` gets JSON, as from the REST API, that says where the API is. */
function notFound({ method }: Request): Response {
  const message = 'There is nothing here. The REST API is below /api/v1, its description at /api/openapi.json.';
  const requestId = newId();
  const { status, code, body } = toErrorReply(new DomainError('endpoint_not_found', verbatim(message)), requestId);
  processLog().info({ requestId, method, status, code }, 'request');
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
  return new Response(body, { status, headers });
}

export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };
