import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions } from '@/server/auth/options';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { processLog, safeError } from '@/server/observe/log';

const maxBodyBytes = 16_384;

async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  if (request.method !== 'POST') {
    // No other service redirects here, so a plain GET gets 405 and is not logged as an error.
    const [action] = (await context.params).nextauth;
    if (action === 'callback') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    return NextAuth(request, context as never, authOptions(request.cookies));
  }
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response(null, { status: 413 });
  const { method, headers } = request;
  const bounded = new NextRequest(request.url, { method, headers, body: new Uint8Array(body) });
  const failures: unknown[] = [];
  const answer = await NextAuth(
    bounded,
    context as never,
    authOptions(request.cookies, (error) => failures.push(error)),
  );
  if (failures.length === 0) return answer;
  processLog().error(safeError(failures[0]), 'sign-out failed');
  return new Response(null, { status: 503, headers: { 'retry-after': '5' } });
}

export { handler as GET, handler as POST };
