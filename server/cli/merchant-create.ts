import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { queriesOn, type Sql } from '@/db/driver';
import * as schema from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import {
  type ApiEnvironment,
  hashApiKey,
  hashPassword,
  type KeyCell,
  newApiKey,
  personId,
} from '@/server/domain/access';
import { describeFailure } from '@/server/domain/kernel/describe-failure';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { inEnglish } from '@/server/domain/kernel/in-english';
import { checkCountry, defaultLimits, knownTimeZones, merchantProfile } from '@/server/domain/merchants';
import { ensureEnvironment } from '@/server/process/readiness';
import { asOwner, databaseCell, databaseEnvironment } from './database';

export const usage = `--name "Kopi & Kaya" --currency SGD --country SG --time-zone Asia/Singapore \\
  --locale en-SG --store "ORCHARD=Orchard Road" --store "KATONG=Katong" --owner-name "Adeline Koh" --owner-email adeline@example.com`;

const { name, currency, country, timeZone, locale } = merchantProfile.shape;
const codeOf = (store: string) => store.slice(0, store.indexOf('='));

const merchant = z.object({
  name,
  currency,
  country,
  'time-zone': timeZone,
  locale,
  store: z
    .array(z.string().regex(/^[^=\s]{1,64}=.{1,100}$/, 'must be CODE=Name'))
    .min(1)
    .refine((stores) => new Set(stores.map(codeOf)).size === stores.length, 'has a code twice'),
  'owner-name': z.string().min(1).max(100),
  'owner-email': z.email(),
});

/** Creates a merchant with its stores, its owner and their keys. Shows passwords and keys once. */
export async function main(args: string[]): Promise<void> {
  const input = readArguments(args);
  const environment: ApiEnvironment = databaseEnvironment() === 'production' ? 'live' : 'sandbox';
  await asOwner(async (owner) => {
    await ensureEnvironment(queriesOn(owner), environment);
    process.stdout.write(await create(owner, input, environment, await databaseCell(queriesOn(owner))));
  });
}

function readArguments(args: string[]): z.infer<typeof merchant> {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        name: text,
        currency: text,
        country: text,
        'time-zone': text,
        locale: text,
        store: { type: 'string', multiple: true },
        'owner-name': text,
        'owner-email': text,
      },
    });
    const input = merchant.parse(values);
    checkCountry(input.country);
    return input;
  } catch (error) {
    throw new StartupError(`${problems(error).join('\n')}\n\nOptions: ${usage}`);
  }
}

function problems(error: unknown): string[] {
  if (error instanceof z.ZodError) {
    return error.issues.map(
      (issue) =>
        `  --${String(issue.path[0])} ${issue.code === 'invalid_type' ? 'is missing' : inEnglish(describeFailure(issue))}`,
    );
  }
  if (error instanceof DomainError)
    return error.issues.map(({ path, sentence }) => `  --${path} ${inEnglish(sentence)}`);
  return [`  ${(error as Error).message}`];
}

/** Writes all or nothing. Returns what the operator has to hand over. */
async function create(
  owner: Sql,
  input: z.infer<typeof merchant>,
  environment: ApiEnvironment,
  cell: KeyCell,
): Promise<string> {
  const merchantId = newId();
  const stores = input.store.map((one) => {
    const storeCode = codeOf(one);
    return { merchantId, id: newId(), storeCode, name: one.slice(storeCode.length + 1) };
  });
  const keys = [null, ...stores].map((store) => ({ store, key: newApiKey(environment, { cell }) }));
  const password = randomBytes(12).toString('base64url');
  const email = input['owner-email'].toLowerCase();
  const known = await knownTimeZones(queriesOn(owner), [input['time-zone']]);
  if (known.length === 0) throw new StartupError(`  --time-zone is not known to this PostgreSQL\n\nOptions: ${usage}`);
  const isNewPerson = await owner.begin(async (connection) => {
    const db = queriesOn(connection);
    const { name, currency, country, locale } = input;
    await db.insert(schema.merchants).values({
      id: merchantId,
      name,
      currency,
      country,
      locale,
      timeZone: input['time-zone'],
      ...defaultLimits(currency),
    });
    await db.insert(schema.stores).values(stores);
    await db.insert(schema.apiKeys).values(
      keys.map(({ store, key }) => ({
        merchantId,
        id: newId(),
        storeId: store?.id ?? null,
        name: store ? `POS ${store.storeCode}` : 'All stores',
        environment,
        hash: hashApiKey(key),
        lastFour: key.slice(-4),
      })),
    );
    const passwordHash = await hashPassword(password);
    const person = { id: personId(email), email, name: input['owner-name'], passwordHash };
    const added = await db.insert(schema.users).values(person).onConflictDoNothing().returning();
    const [user] = await db.select().from(schema.users).where(eq(schema.users.email, email));
    if (!user) throw new Error('the owner was not written');
    await db.insert(schema.memberships).values({ merchantId, userId: user.id, role: 'owner' });
    return added.length === 1;
  });
  const keyLines = keys.map(({ store, key }) => `  ${(store?.storeCode ?? 'all stores').padEnd(16)} ${key}`);
  const signIn = isNewPerson ? `password ${password}` : 'existing password';
  return `Created ${input.name}. The following is shown only once:\n\n  ${email}, ${signIn}\n\n${keyLines.join('\n')}\n`;
}
