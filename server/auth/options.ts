import type { NextAuthOptions } from 'next-auth';
import credentialsProvider from 'next-auth/providers/credentials';
import { z } from 'zod';
import { signIn } from '@/server/domain/access';
import { DomainError } from '@/server/domain/kernel/errors';
import { addressFromFrontDoor } from '@/server/limits/client-address';
import { env } from '@/server/process/env';
import { getServices } from '@/server/process/services';
import { authCookies } from './cookies';

declare module 'next-auth' {
  interface User {
    id: string;
    sessionVersion: number;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    sessionVersion?: number;
  }
}

/** A working day: whoever uses the till's computer tomorrow has to sign in. */
const sessionSeconds = 12 * 60 * 60;

const credentialsSchema = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1024) });

/**
 * Returns the code that the sign-in form reads from next-auth's `error` parameter, the only thing that next-auth passes
 * on.
 */
function signInErrorCode(error: unknown): string {
  if (!(error instanceof DomainError) || error.code !== 'too_many_attempts') return 'unavailable';
  return `too_many_attempts:${error.details.retryAfterSeconds ?? 60}`;
}

async function authorize(credentials: unknown, { headers }: { headers?: Record<string, unknown> }) {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return null;
  try {
    const user = await signIn(getServices(), {
      ...parsed.data,
      client: addressFromFrontDoor(headers?.['x-forwarded-for']),
    });
    return user ? { id: user.userId, sessionVersion: user.sessionVersion } : null;
  } catch (error) {
    throw new Error(signInErrorCode(error));
  }
}

/** Built on the first request, not on import, because a build has no environment. */
export function authOptions(): NextAuthOptions {
  const { AUTH_SECRET, PUBLIC_ORIGIN } = env();
  // next-auth takes its own URL only from here: the request's host header cannot be trusted behind the front door.
  process.env.NEXTAUTH_URL = PUBLIC_ORIGIN;
  return {
    secret: AUTH_SECRET,
    useSecureCookies: PUBLIC_ORIGIN.startsWith('https:'),
    cookies: authCookies(PUBLIC_ORIGIN),
    session: { strategy: 'jwt', maxAge: sessionSeconds },
    pages: { signIn: '/sign-in', signOut: '/home', error: '/sign-in', verifyRequest: '/sign-in' },
    providers: [
      credentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize,
      }),
    ],
    callbacks: {
      // The token holds neither name nor role: both are looked up at each request.
      jwt: ({ token, user }) =>
        user
          ? { sub: user.id, sessionVersion: user.sessionVersion }
          : { sub: token.sub, sessionVersion: token.sessionVersion },
      session: ({ session }) => ({ expires: session.expires }),
    },
  };
}
