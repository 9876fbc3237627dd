/** Shared by the commands about one merchant. */
import { eq, or, sql } from 'drizzle-orm';
import type { Queries } from '@/db/query/queries';
import { merchants } from '@/db/schema';
import { StartupError } from '@/db/startup-error';

/** Finds a merchant by its id or name. Errors: `StartupError` if there is none, or if several have the name. */
export async function findNamed(db: Queries, given: string): Promise<{ id: string; name: string }> {
  const { id, name } = merchants;
  const found = await db
    .select({ id, name })
    .from(merchants)
    .where(or(eq(sql`${id}::text`, given.toLowerCase()), eq(name, given)))
    .limit(2);
  const [one, another] = found;
  if (!one) throw new StartupError(`No merchant has the id or name ${given}: merchant list shows them.`);
  if (another) throw new StartupError(`Several merchants are named ${given}: give the id, which merchant list shows.`);
  return one;
}
