/** The span of a request at the front door, named by its method and route: a path may hold a token or a phone number. */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Span } from '@opentelemetry/api';
import { root } from './release';
import { isRecording, readTraceparent, startSpan } from './spans';

/** Begins the span of a request, below the caller's if it names one; null if it is not recorded. */
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

/** Names the span of a request after its route, if there is one. A failure of ours is an error; a refusal is not. */
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

/** Ends the span of a request that Next answered: that of an event stream, once it begins. */
export function endPageSpan(
  span: Span,
  { method = '', url = '' }: IncomingMessage,
  { statusCode }: ServerResponse,
): void {
  describeRequest(span, { method, route: routeOfPage(url), status: statusCode });
  span.end();
}

/** OpenTelemetry's `SpanStatusCode.ERROR`, of which only the type is loaded here. */
type SpanStatus = Parameters<Span['setStatus']>[0]['code'];

interface PageRoute {
  page: string;
  regex: string;
}

let pageRoutes: { page: string; pattern: RegExp }[] | undefined;

/** Returns the route of a page or a route handler of Next: `/q/[token]`. None in development, which has no build. */
function routeOfPage(url: string): string | undefined {
  pageRoutes ??= readPageRoutes();
  const [path = ''] = url.split('?');
  return pageRoutes.find(({ pattern }) => pattern.test(path))?.page;
}

function readPageRoutes() {
  const file = join(root, '.next', 'routes-manifest.json');
  if (!existsSync(file)) return [];
  const { staticRoutes, dynamicRoutes }: Record<string, PageRoute[]> = JSON.parse(readFileSync(file, 'utf8'));
  // In Next's order: the first that matches is the one that answers.
  const routes = [...(staticRoutes ?? []), ...(dynamicRoutes ?? [])];
  return routes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }));
}
