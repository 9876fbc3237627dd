import { cookies } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import type { JWT } from 'next-auth/jwt';
import credentialsProvider from 'next-auth/providers/credentials';
import { z } from 'zod';
import {
  type Browser,
  passkeyResponse,
  sessionSeconds,
  signIn,
  signInWithPasskey,
  signOut,
} from '@/server/domain/access';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { env, secretsOf } from '@/server/process/env';
import { getServices } from '@/server/process/services';
import { type CookieJar, csrfSecretOf, decodeToken, readSessionToken } from './cookie-token';
import { authCookies } from './cookies';
import { requestBrowser } from './request-browser';

declare module 'next-auth' {
  interface User {
    id: string;
    /** The secret of the session's row. */
    sessionToken: string;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    sessionToken?: string;
  }
}

const credentialsSchema = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1024) });
/** next-auth takes a form's fields. One field has the device's response as JSON. */
const passkeySchema = z.preprocess(
  (fields) => readJson((fields as { passkey?: unknown } | undefined)?.passkey),
  passkeyResponse,
);

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/**
 * Returns the code that the sign-in form reads from next-auth's `error` parameter. next-auth passes nothing else on.
 */
function signInErrorCode(error: unknown): string {
  if (!(error instanceof DomainError) || error.code !== 'too_many_attempts') return 'unavailable';
  return `too_many_attempts:${error.details.retryAfterSeconds ?? 60}`;
}

type SignIn<Input> = (services: Services, browser: Browser, input: Input) => ReturnType<typeof signIn>;

async function authorize<Input>(parsed: z.ZodSafeParseResult<Input>, signInBy: SignIn<Input>) {
  if (!parsed.success) return null;
  try {
    const session = await signInBy(getServices(), await requestBrowser(), parsed.data);
    if (session) await endReplacedSession();
    return session && { id: session.userId, sessionToken: session.token };
  } catch (error) {
    throw new Error(signInErrorCode(error));
  }
}

/**
 * Ends the session whose cookie a sign-in overwrites. Only a thief could use it any more, and no one could sign it out.
 */
async function endReplacedSession(): Promise<void> {
  const { name } = authCookies(env().PUBLIC_ORIGIN).sessionToken;
  const replaced = await readSessionToken(await cookies(), secretsOf(env(), 'AUTH_SECRET'), name);
  await endSessionOf(replaced);
}

async function endSessionOf(token: JWT | null): Promise<void> {
  if (token?.sub && token.sessionToken) {
    await signOut(getServices(), { userId: token.sub, token: token.sessionToken });
  }
}

/**
 * Built for each request, with its cookies. `onSignOutFailed` is called if the session could not be ended. next-auth
 * itself would only log that and delete the cookie.
 */
export function authOptions(jar: CookieJar, onSignOutFailed: (error: unknown) => void = () => {}): NextAuthOptions {
  const { PUBLIC_ORIGIN } = env();
  const secrets = secretsOf(env(), 'AUTH_SECRET');
  const names = authCookies(PUBLIC_ORIGIN);
  // next-auth takes its own URL only from here. Behind the front door, the request's host header can't be trusted.
  process.env.NEXTAUTH_URL = PUBLIC_ORIGIN;
  return {
    secret: csrfSecretOf(jar, secrets, names.csrfToken.name),
    jwt: { secret: secrets[0], decode: ({ token }) => decodeToken(secrets, token) },
    useSecureCookies: PUBLIC_ORIGIN.startsWith('https:'),
    cookies: names,
    session: { strategy: 'jwt', maxAge: sessionSeconds },
    pages: { signIn: '/sign-in', signOut: '/home', error: '/sign-in', verifyRequest: '/sign-in' },
    providers: [
      credentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials) => authorize(credentialsSchema.safeParse(credentials), signIn),
      }),
      credentialsProvider({
        id: 'passkey',
        credentials: { passkey: { type: 'text' } },
        authorize: (credentials) => authorize(passkeySchema.safeParse(credentials), signInWithPasskey),
      }),
    ],
    callbacks: {
      // The token only names a row. Each request reads from the row whose session it is and whether it still lasts.
      jwt: ({ token, user }) =>
        user ? { sub: user.id, sessionToken: user.sessionToken } : { sub: token.sub, sessionToken: token.sessionToken },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: ({ token }) => endSessionOf(token).catch(onSignOutFailed),
    },
  };
}
