/**
 * The span of a request at the front door. Its name is the method and route, because a path may contain a token or
 * phone number.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Span } from '@opentelemetry/api';
import { releaseRoot } from './release';
import { isRecording, readTraceparent, startSpan } from './spans';

/** Begins a request's span, below the caller's span if the request names one. Null if it is not recorded. */
export const startRequestSpan = ({ method = '', headers }: IncomingMessage): Span | null =>
  isRecording()
    ? startSpan(method, {
        kind: 'server',
        attributes: { 'http.request.method': method },
        parent: readTraceparent(headers.traceparent),
      })
    : null;

interface Answered {
  method: string;
  route: string | undefined;
  status: number;
  /** The error code of a refused or failed request of the REST API. */
  code?: string | undefined;
  /** As in the log. */
  requestId?: string;
}

/** Names a request's span by its route, if it has one. A failure of ours is an error; a refusal is not. */
export function describeRequest(span: Span, { method, route, status, code, requestId }: Answered): void {
  if (route) span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.route': route,
    'http.response.status_code': status,
    'error.type': code,
    'loyalty.request_id': requestId,
  });
  if (status >= 500) span.setStatus({ code: 2 satisfies SpanStatus });
}

/** Ends the span of a request that Next answered. The span of an event stream ends when the stream begins. */
export function endPageSpan(
  span: Span,
  { method = '', url = '' }: IncomingMessage,
  { statusCode }: ServerResponse,
): void {
  describeRequest(span, { method, route: routeOfPage(url), status: statusCode });
  span.end();
}

/** The value of OpenTelemetry's `SpanStatusCode.ERROR`, of which only the type is imported. */
type SpanStatus = Parameters<Span['setStatus']>[0]['code'];

interface PageRoute {
  page: string;
  regex: string;
}

let pageRoutes: { page: string; pattern: RegExp }[] | undefined;

/**
 * Returns the route of a page or route handler of Next: `/q/[token]`. Undefined in development, where there is no
 * build.
 */
function routeOfPage(url: string): string | undefined {
  pageRoutes ??= readPageRoutes();
  const [path = ''] = url.split('?');
  return pageRoutes.find(({ pattern }) => pattern.test(path))?.page;
}

function readPageRoutes() {
  const file = join(releaseRoot, '.next', 'routes-manifest.json');
  if (!existsSync(file)) return [];
  const { staticRoutes, dynamicRoutes }: Record<string, PageRoute[]> = JSON.parse(readFileSync(file, 'utf8'));
  // In Next's order: the first match is the one that answers.
  const routes = [...(staticRoutes ?? []), ...(dynamicRoutes ?? [])];
  return routes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }));
}
