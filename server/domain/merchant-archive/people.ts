import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { inArray, or } from 'drizzle-orm';
import { z } from 'zod';
import type { Queries } from '@/db/query/queries';
import { users } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { hashPassword, language } from '../access';

const person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  language: z.preprocess((given) => given || null, language.nullable()),
});

export interface Arrival {
  /** The ids here of people who have another id in the archive. */
  idsHere: Map<string, string>;
  /** The ids here of all people of the archive. */
  people: string[];
  /** The ids of people who were unknown here. They have no password, and choose one by a link. */
  newPeople: string[];
}

/**
 * Adds the people of an archive who are unknown here, and finds the others by id (as in a copy of the same database) or
 * by e-mail address. Someone who invites an address could also open its link, and so its account. Errors:
 * `StartupError` for people who are known here, unless the operator has asked them (`arePeopleSame`).
 */
export async function addPeople(
  db: Queries,
  file: NodeJS.ReadableStream,
  { arePeopleSame }: { arePeopleSame: boolean },
): Promise<Arrival> {
  const people = z.array(person).parse(parse(await text(file), { columns: true }));
  const { id, email } = users;
  const [ids, emails] = [people.map((one) => one.id), people.map((one) => one.email)];
  const known = await db
    .select({ id, email })
    .from(users)
    .where(or(inArray(id, ids), inArray(email, emails)));
  if (known.length > 0 && !arePeopleSame)
    throw new StartupError(
      `Not imported: ${known.map((one) => one.email).join(', ')} have accounts here. Ask each whether that account is theirs, and if so repeat the command with --same-people.`,
    );
  const idHere = (one: z.infer<typeof person>) =>
    (known.find((other) => other.id === one.id) ?? known.find((other) => other.email === one.email))?.id;
  const newcomers = people.filter((one) => idHere(one) === undefined);
  if (newcomers.length > 0) {
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
    await db.insert(users).values(newcomers.map((one) => ({ ...one, passwordHash })));
  }
  const moved = people.flatMap((one) => {
    const here = idHere(one);
    return here === undefined || here === one.id ? [] : [[one.id, here] as const];
  });
  return {
    idsHere: new Map(moved),
    people: people.map((one) => idHere(one) ?? one.id),
    newPeople: newcomers.map((one) => one.id),
  };
}
