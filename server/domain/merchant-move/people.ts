import { and, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { queriesOn } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import { authenticators, memberships, passkeys, recoveryCodes, users } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { idsOfPeople } from '../merchant-archive';
import type { Move } from './sides';

/** What people sign in with besides their password. Sessions are not copied: people sign in again in the new cell. */
const factors = [authenticators, passkeys, recoveryCodes] as const;

/**
 * Copies the people whom the merchant's rows name, with their second factors, under the same ids. People who already
 * work for another merchant of the target are not changed. Running it again copies what changed since. Errors:
 * `StartupError` if someone's e-mail address belongs to another account there, or may do so (`ensureSame`).
 */
export async function copyPeople({ merchantId, source, target, arePeopleSame }: Move): Promise<void> {
  const people = await source.db
    .select()
    .from(users)
    .where(inArray(users.id, idsOfPeople(merchantId)));
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const rows = await Promise.all(
    factors.map((table) => source.db.select().from(table).where(inArray(table.userId, ids))),
  );
  await target.owner.begin(async (connection) => {
    const db = queriesOn(connection);
    const idOf = new Map(people.map(({ id, email }) => [email, id]));
    const known = await db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.email, [...idOf.keys()]));
    const others = known.filter(({ id, email }) => idOf.get(email) !== id);
    if (others.length > 0)
      throw new StartupError(
        `Another account in ${target.cell} has the e-mail address of ${others.length} of the merchant's people, such as that with the id ${others[0]?.id}. Move the merchant by its archive, which replaces ids (merchant export, merchant import).`,
      );
    const busy = await db
      .selectDistinct({ id: users.id, passwordHash: users.passwordHash })
      .from(users)
      .innerJoin(memberships, and(eq(memberships.userId, users.id), ne(memberships.merchantId, merchantId)))
      .where(inArray(users.id, ids));
    if (!arePeopleSame) ensureSame(people, busy, target.cell);
    const isCopied = (id: string) => !busy.some((one) => one.id === id);
    const copied = people.filter(({ id }) => isCopied(id));
    if (copied.length === 0) return;
    await db.insert(users).values(copied).onConflictDoUpdate({ target: users.id, set: replaced() });
    for (const [at, table] of factors.entries()) {
      await db.delete(table).where(
        inArray(
          table.userId,
          copied.map(({ id }) => id),
        ),
      );
      const theirs = (rows[at] ?? []).filter(({ userId }) => isCopied(userId));
      if (theirs.length > 0) await db.insert(table).values(theirs as never[]);
    }
  });
}

/**
 * Someone who invites an address could open its link, and so the account, with a password of their own. Errors:
 * `StartupError` for people whose passwords differ between the cells: the accounts may belong to two people.
 */
function ensureSame(people: Person[], there: Person[], cell: string): void {
  const known = new Map(there.map(({ id, passwordHash }) => [id, passwordHash]));
  const doubtful = people.filter(({ id, passwordHash }) => known.has(id) && known.get(id) !== passwordHash);
  if (doubtful.length > 0)
    throw new StartupError(
      `Not moved: ${doubtful.map(({ id }) => id).join(', ')} also work for another merchant of ${cell}, with another password there. Ask each whether both accounts are theirs, and if so repeat the command with --same-people.`,
    );
}

type Person = Pick<typeof users.$inferSelect, 'id' | 'passwordHash'>;

/**
 * Takes every column of the person as copied. An account with another password may have been someone else's, so its
 * sessions end.
 */
function replaced(): Record<string, SQL> {
  const of = (column: PgColumn) => sql`excluded.${nameOf(column)}`;
  const columns = Object.entries(getTableColumns(users)).map(([name, column]) => [name, of(column)]);
  const { sessionVersion: version, passwordHash } = users;
  const isOther = sql`(${passwordHash} is distinct from ${of(passwordHash)})::int`;
  return { ...Object.fromEntries(columns), sessionVersion: sql`greatest(${version}, ${of(version)}) + ${isOther}` };
}
