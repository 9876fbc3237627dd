/**
 * The POS REST API, independent of its transport: shared by `node-server.ts` and by a Next route handler. It checks the
 * key first, then path and body, calls the procedure, and formats every error in one envelope.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { checkScope, type KeyContext } from '@/server/domain/access';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError, invalid } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { say, verbatim } from '@/server/domain/kernel/say';
import { type SandboxFault, takeFault } from '@/server/domain/sandbox';
import { type Logger, safeError } from '@/server/observe/log';
import { restRefusals, restRequests } from '@/server/observe/metrics';
import { describeRequest } from '@/server/observe/request-span';
import { currentSpan } from '@/server/observe/spans';
import { createLoad } from '../limits/requests-at-work';
import { type Endpoint, matchEndpoint } from './endpoints';
import { toErrorReply } from './envelope';
import { createKeyIdentifier, type KeyTrace } from './identify';
import { parseBody, parseUrlFields } from './request-body';
import type { RequestLog } from './request-log';

export interface RestRequest {
  method: string;
  /** Path and query, below `/api/v1/`. */
  url: string;
  apiKey: string | undefined;
  /** The network address of the caller. */
  client: string;
  contentType: string | undefined;
  /** Reads the body; rejects with `invalid_request` when it is too large. */
  body(): Promise<Buffer>;
}

export interface RestReply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** True if the connection is to be cut instead of a response. */
  isLost: boolean;
}

export const apiPrefix = '/api/v1';

/** A request gets 503 after this long. The POS can then look up its outcome. */
const deadlineMs = 4_500;
/** Nothing is committed after this, so that a commit in progress ends before the 503. */
const commitDeadlineMs = 4_000;
/** By then, a till has given up. */
const lateMs = 7_000;

interface RestOptions {
  services: Services;
  log: Logger;
  requests: RequestLog;
}

export function createRestHandler({ services, log, requests }: RestOptions) {
  const load = createLoad();
  const { readKey, identify } = createKeyIdentifier();
  const serve = (request: RestRequest, trace: Trace): Promise<string> => {
    // Checked first, so that a malformed key is refused as such even under overload.
    const key = readKey(services, request);
    const body = async () => {
      trace.isReadingBody = true;
      const whole = await load.pause(key.slot, () => request.body());
      trace.isReadingBody = false;
      return whole;
    };
    const identifyWith = (requestServices: Services) => identify(requestServices, key, trace);
    return load.run(key.slot, key.newKeyNetwork === null, () =>
      dispatch(services, { ...request, body }, identifyWith, trace).finally(() => {
        if (trace.fault === 'service_unavailable') throw new DomainError(trace.fault, say('serviceUnavailable'));
      }),
    );
  };
  return async function handle(request: RestRequest): Promise<RestReply> {
    const started = performance.now();
    const createdAt = services.clock.now();
    const requestId = newId(createdAt.getTime());
    const trace: Trace = {};
    const headers: Record<string, string> = {
      'content-type': 'application/json; charset=utf-8',
      // Responses depend on the key, which caches ignore.
      'cache-control': 'no-store',
      'x-request-id': requestId,
    };
    let status = 200;
    let body: string;
    try {
      body = await withinDeadline(serve(request, trace), trace);
      if (trace.ctx?.replayed) headers['idempotent-replayed'] = 'true';
    } catch (thrown) {
      const error = toErrorReply(thrown, requestId);
      ({ status, body } = error);
      trace.code = error.code;
      // A fault that a test has ordered is no stored response.
      if (trace.ctx?.replayed && trace.fault !== 'service_unavailable') headers['idempotent-replayed'] = 'true';
      if (error.movedTo !== undefined) headers.location = locationAt(error.movedTo, request.url);
      if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
      if (error.fault !== undefined)
        log.error({ requestId, operation: trace.operation, ...safeError(error.fault) }, 'fault');
    }
    const { ctx, operation, code } = trace;
    const durationMs = Math.round((performance.now() - started) * 100) / 100;
    restRequests.observe({ operation: operation ?? 'none', status }, durationMs / 1000);
    if (code !== undefined) restRefusals.inc({ code });
    const span = currentSpan();
    if (span) {
      const route = trace.segments && [apiPrefix, ...trace.segments].join('/');
      describeRequest(span, { method: request.method, route, status, code, requestId });
    }
    const caller = {
      merchantId: ctx?.merchant.id,
      storeCode: ctx?.storeCode ?? ctx?.boundStore?.storeCode,
      apiKeyId: ctx?.apiKeyId,
    };
    log.info({ requestId, ...caller, method: request.method, operation, status, code, durationMs }, 'request');
    const key = ctx ? { merchantId: ctx.merchant.id, apiKeyId: ctx.apiKeyId } : trace.refusedKey;
    if (key) {
      const asked = operation ?? trace.askedOperation ?? null;
      requests.record({
        ...key,
        id: requestId,
        operation: asked,
        status,
        errorCode: code ?? null,
        durationMs,
        createdAt,
      });
    }
    if (trace.fault === 'late') await wait(lateMs);
    return { status, headers, body, isLost: trace.fault === 'lost' };
  };
}

/** Without a host, so that the till stays on the host that it called. It may know the service by another name. */
const locationAt = (baseUrl: string, url: string) => `${new URL(baseUrl).pathname}${url === '' ? '' : `/${url}`}`;

interface Trace extends KeyTrace {
  /** Set once the key may call the operation. */
  operation?: string;
  /** Of the operation's path. */
  segments?: string[];
  askedOperation?: string | undefined;
  code?: string;
  isReadingBody?: boolean;
  /** A fault that a test has ordered for this response. */
  fault?: SandboxFault | undefined;
}

async function dispatch(
  services: Services,
  request: RestRequest,
  identify: (services: Services) => Promise<KeyContext>,
  trace: Trace,
): Promise<string> {
  const db = { ...services.db, deadline: performance.now() + commitDeadlineMs };
  const queryStart = request.url.indexOf('?');
  const path = queryStart < 0 ? request.url : request.url.slice(0, queryStart);
  const query = queryStart < 0 ? '' : request.url.slice(queryStart + 1);
  const match = matchEndpoint(services.environment, request.method, path);
  trace.askedOperation = match?.endpoint.operation;
  const ctx = await identify({ ...services, db });
  if (!match)
    throw new DomainError(
      'endpoint_not_found',
      verbatim(`There is no ${request.method} ${apiPrefix}/${path.slice(0, 200)}.`),
    );
  const { endpoint, params } = match;
  trace.operation = endpoint.operation;
  trace.segments = endpoint.segments;
  if (!endpoint.meta.isSandboxOnly) trace.fault = takeFault(ctx);
  if (trace.fault === 'rate_limited')
    throw new DomainError(trace.fault, say('tooManyRequests'), { retryAfterSeconds: 1 });
  await checkScope(services, ctx, endpoint.meta.scope);
  if (endpoint.method !== 'GET' && query !== '') {
    // URLs end up in logs, and a PIN must not.
    throw invalid(Object.keys(parseUrlFields({}, query))[0] ?? '', verbatim('belongs in the body, not in the address'));
  }
  const fields = parseUrlFields(params, query);
  const input = endpoint.method === 'GET' ? fields : mergeBody(fields, await readBody(request, endpoint));
  return JSON.stringify(await endpoint.call(ctx, endpoint.meta.mendInput?.(input) ?? input));
}

async function readBody(request: RestRequest, { needsBody }: Endpoint): Promise<Record<string, unknown>> {
  const body = await request.body();
  return body.length === 0 && !needsBody ? {} : parseBody(request.contentType, body);
}

function mergeBody(fields: Record<string, unknown>, body: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (Object.hasOwn(body, name)) {
      throw invalid(name, verbatim('belongs in the address only'));
    }
    body[name] = fields[name];
  }
  return body;
}

function withinDeadline<T>(work: Promise<T>, trace: Trace): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const reason = trace.isReadingBody
        ? `The body of the request did not arrive within ${deadlineMs / 1000} seconds.`
        : 'The service could not respond in time.';
      reject(new DomainError('service_unavailable', verbatim(`${reason} Send the same request again.`)));
    }, deadlineMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
