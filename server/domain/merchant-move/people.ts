import { and, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { queriesOn } from '@/db/client';
import { authenticators, memberships, passkeys, recoveryCodes, users } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { idsOfPeople } from '../merchant-archive';
import type { Move } from './sides';

/** What people sign in with, besides their password. Sessions stay: they sign in once in the new cell. */
const factors = [authenticators, passkeys, recoveryCodes] as const;

/**
 * Copies the people whom the merchant's rows name, with what they sign in with, under the same ids. People who work for
 * another merchant of the target are there already, and stay as they are. Run again, it copies what changed since. Errors:
 * `StartupError` where someone has another account there with the same e-mail address.
 */
export async function copyPeople({ merchantId, source, target }: Move): Promise<void> {
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
      .selectDistinct({ id: memberships.userId })
      .from(memberships)
      .where(and(inArray(memberships.userId, ids), ne(memberships.merchantId, merchantId)));
    const isCopied = (id: string) => !busy.some((one) => one.id === id);
    const copied = people.filter(({ id }) => isCopied(id));
    if (copied.length === 0) return;
    await db.insert(users).values(copied).onConflictDoUpdate({ target: users.id, set: excluded() });
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

/** Every column of a person, as it comes. */
const excluded = (): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(users)).map(([name, column]) => [
      name,
      sql`excluded.${sql.identifier(column.name)}`,
    ]),
  );
