/** The routes of the REST API, read once from the procedures' `meta.openapi`. */
import type { PosContext, Services } from '@/server/domain/kernel/context';
import type { PosMeta } from '@/server/trpc/pos/init';
import { posRouter } from '@/server/trpc/pos/router';
import { listProcedures } from '@/server/trpc/procedures';

/** The methods of operations. Ids make it safe to repeat a POST, and revisions a PUT. A PATCH repeated changes nothing. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH'] as const;
export type Method = (typeof methods)[number];

export interface Endpoint {
  operation: string;
  method: Method;
  /** Literal segments, and `{name}` ones. */
  segments: string[];
  meta: PosMeta;
  /** False for a POST whose fields are all optional: it may come without a body. */
  needsBody: boolean;
  call(ctx: PosContext, input: unknown): Promise<unknown>;
}

export interface Match {
  endpoint: Endpoint;
  /** Still URL-encoded. */
  params: Record<string, string>;
}

export const endpoints: Endpoint[] = listProcedures<PosMeta>(posRouter).map(({ path, meta, inputs, call }) => {
  const openapi = meta.openapi;
  const method = methods.find((one) => one === openapi?.method);
  if (!openapi?.operationId || !method) {
    throw new Error(`the procedure ${path} is no operation of the REST API`);
  }
  const segments = openapi.path.split('/').slice(1);
  const missing = inputs.flatMap((input) => input.safeParse({}).error?.issues ?? []);
  const needsBody = method !== 'POST' || missing.some(({ path: [name] }) => !segments.includes(`{${String(name)}}`));
  return { operation: openapi.operationId, method, segments, meta, needsBody, call };
});

const isParam = (segment: string) => segment.startsWith('{');
const literal = new Map<string, Endpoint>();
const parametric = new Map<string, Endpoint[]>();
for (const endpoint of endpoints) {
  const { method, segments } = endpoint;
  if (!segments.some(isParam)) {
    literal.set(`${method} ${segments.join('/')}`, endpoint);
    continue;
  }
  const key = `${method} ${segments.length}`;
  parametric.set(key, [...(parametric.get(key) ?? []), endpoint]);
}

type Environment = Services['environment'];

export const isServedIn = ({ meta }: Endpoint, environment: Environment): boolean =>
  environment === 'sandbox' || !meta.isSandboxOnly;

/** Finds the endpoint for a path below `/api/v1`. Literal paths win over those with parameters. */
export function matchEndpoint(environment: Environment, method: string, path: string): Match | null {
  const match = findEndpoint(method, path);
  return match && isServedIn(match.endpoint, environment) ? match : null;
}

function findEndpoint(method: string, path: string): Match | null {
  const exact = literal.get(`${method} ${path}`);
  if (exact) return { endpoint: exact, params: {} };
  const parts = path.split('/', 12);
  for (const endpoint of parametric.get(`${method} ${parts.length}`) ?? []) {
    const params = readParams(endpoint.segments, parts);
    if (params) return { endpoint, params };
  }
  return null;
}

function readParams(segments: string[], parts: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as string;
    const part = parts[i] as string;
    if (isParam(segment)) {
      if (part === '') return null;
      params[segment.slice(1, -1)] = part;
    } else if (segment !== part) return null;
  }
  return params;
}
