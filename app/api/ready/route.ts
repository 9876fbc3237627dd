import { getServices } from '@/server/environment/services';
import { readiness } from '@/server/process/readiness';

/** Readiness check: the database responds and its schema is current. */
export async function GET(): Promise<Response> {
  const { ready, ...state } = await readiness(getServices().db);
  const body = { status: ready ? 'ready' : 'not_ready', ...state };
  return Response.json(body, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}
export const dynamic = 'force-dynamic';
