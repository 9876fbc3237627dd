import { type NextRequest, NextResponse } from 'next/server';

/** Scripts run only with this request's nonce, or if such a script loads them; nothing may frame or be framed. */
function contentSecurityPolicy(nonce: string, { https }: { https: boolean }): string {
  const development = process.env.NODE_ENV === 'development';
  return [
    "default-src 'none'",
    // No 'self': browsers that know 'strict-dynamic' ignore it, and Firefox says so on each page. React's development build uses
    // eval for its stack traces.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

export function proxy(request: NextRequest): NextResponse {
  const https = process.env.PUBLIC_ORIGIN?.startsWith('https:') ?? false;
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce, { https });

  // Next takes the nonce for its own scripts from the request's header; pages take the path to return to after sign-in.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  headers.set('x-request-path', `${request.nextUrl.pathname}${request.nextUrl.search}`);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

// API routes are excluded: a proxy buffers bodies and truncates them at a limit.
export const config = {
  matcher: ['/((?!api/|_next/static/|icon.svg|robots.txt).*)'],
};
