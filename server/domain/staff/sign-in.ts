import { hash, verify } from '@node-rs/argon2';
import type { Services } from '../core/context';
import { clearThrottle, throttle } from './throttle';

export type StaffRole = 'owner' | 'manager' | 'cashier';

export interface Staff {
  userId: string;
  name: string;
  email: string;
  memberships: { merchantId: string; merchantName: string; role: StaffRole }[];
}

export const hashPassword = (password: string): Promise<string> => hash(password);

/** Compared against for an unknown address, so that it takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/**
 * Who signs in; null when address or password are wrong. Errors: `too_many_attempts` (ten in 15 minutes for an address,
 * known or not).
 */
export async function signIn(
  services: Services,
  { email, password }: { email: string; password: string },
): Promise<{ userId: string; sessionVersion: number } | null> {
  const address = email.trim().toLowerCase();
  const key = `sign-in ${address}`;
  await throttle(services, { key, attempts: 10, windowSeconds: 15 * 60 });
  const [user] = await services.db.sql`select id, password_hash, session_version from users where email = ${address}`;
  decoy ??= hashPassword('nobody has this password');
  const isRight = await verify(user?.password_hash ?? (await decoy), password);
  if (!user || !isRight) return null;
  await clearThrottle(services, key);
  return { userId: user.id, sessionVersion: user.session_version };
}

/** The person of a session, as of now; null where the person is gone or has signed out everywhere. */
export async function findStaff(
  { db }: Services,
  { userId, sessionVersion }: { userId: string; sessionVersion: number },
): Promise<Staff | null> {
  const [users, memberships] = await Promise.all([
    db.sql`select name, email from users where id = ${userId} and session_version = ${sessionVersion}`,
    db.sql`select merchant_id, merchant_name, role from staff_memberships(${userId})`,
  ]);
  const [user] = users;
  if (!user) return null;
  return {
    userId,
    name: user.name,
    email: user.email,
    memberships: memberships.map((row) => ({
      merchantId: row.merchant_id,
      merchantName: row.merchant_name,
      role: row.role,
    })),
  };
}
