/** Secrets and merchants shared by the demo, development and the seed. */

import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, eq, sql } from 'drizzle-orm';
import { openSql, queriesOn, type Sql } from '@/db/driver';
import { migrate } from '@/db/operations/migrate';
import { only } from '@/db/query/queries';
import { customers } from '@/db/schema';
import { type DemoMerchant, demoMerchants } from '@/db/seed/demo-data';
import { seedCustomers } from '@/db/seed/seed-customers';
import { seedMerchant } from '@/db/seed/seed-demo';
import { testCustomers } from '@/db/seed/test-data';
import { hashApiKey, hashPassword, newApiKey } from '@/server/domain/access';
import { hasTestData } from '@/server/domain/sandbox';
import { ensureEnvironment } from '@/server/process/readiness';
import { seedActivity } from './demo-activity';
import { dataDir, ensureWritable } from './demo-database';

export interface DemoSecretsFile {
  AUTH_SECRET: string;
  DATA_SECRET: string;
  DEMO_SECRET: string;
}

/** Secrets of this machine's demo, created at the first start and stored beside its data. */
export function demoSecrets(): DemoSecretsFile {
  ensureWritable();
  const file = join(dataDir, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secret = () => randomBytes(32).toString('base64url');
  const secrets = { AUTH_SECRET: secret(), DATA_SECRET: secret(), DEMO_SECRET: secret() };
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}

interface Credentials {
  /** Each staff member's password, by e-mail address. */
  passwords: Map<string, string>;
  merchantApiKey: string;
  storeKeys: Record<string, string>;
}

/** Derives a demo merchant's keys and passwords: the same at each start, and different on each machine. */
function credentialsOf(merchant: DemoMerchant, secret: string): Credentials {
  const key = (name: string) => {
    const stream = createHmac('sha512', secret).update(`${merchant.id} key ${name}`).digest();
    let at = 0;
    return newApiKey('sandbox', { randomDigit: () => (stream[at++] as number) % 62 });
  };
  const password = (email: string) =>
    createHmac('sha256', secret).update(`${email} password`).digest('base64url').slice(0, 14);
  return {
    passwords: new Map([merchant.owner, ...merchant.staff].map(({ email }) => [email, password(email)])),
    merchantApiKey: key('*'),
    storeKeys: Object.fromEntries(merchant.stores.map(({ storeCode }) => [storeCode, key(storeCode)])),
  };
}

/** Migrates, seeds, and writes `.data/demo.json`. Errors: `StartupError` for a database with live keys. */
export async function prepareDemo(ownerUrl: string, origin: string): Promise<DemoFile> {
  await migrate(ownerUrl);
  const { DEMO_SECRET, DATA_SECRET } = demoSecrets();
  const owner = openSql(ownerUrl);
  try {
    await ensureEnvironment(queriesOn(owner), 'sandbox');
    for (const merchant of demoMerchants) {
      const credentials = credentialsOf(merchant, DEMO_SECRET);
      await seed(owner, merchant, credentials);
      const dataSecret = process.env.DATA_SECRET || DATA_SECRET;
      const storeKeys = Object.values(credentials.storeKeys);
      await seedActivity(merchant, { ownerUrl, dataSecret, publicOrigin: origin, storeKeys });
    }
    const file: DemoFile = { origin, databaseUrl: ownerUrl, merchants: [] };
    for (const merchant of demoMerchants)
      file.merchants.push(await describe(owner, merchant, credentialsOf(merchant, DEMO_SECRET)));
    writeFileSync(join(dataDir, 'demo.json'), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    return file;
  } finally {
    await owner.end();
  }
}

async function seed(owner: Sql, merchant: DemoMerchant, credentials: Credentials): Promise<void> {
  const keys = [['*', credentials.merchantApiKey] as const, ...Object.entries(credentials.storeKeys)];
  const passwordHashes = new Map<string, string>();
  for (const [email, password] of credentials.passwords) passwordHashes.set(email, await hashPassword(password));
  await seedMerchant(owner, merchant, {
    passwordHashes,
    keys: keys.map(([storeCode, key]) => ({
      storeCode: storeCode === '*' ? null : storeCode,
      hash: hashApiKey(key),
      lastFour: key.slice(-4),
    })),
  });
  await seedCrowd(owner, merchant, merchant.customers.count);
}

/** Before the demo's first day of activity. */
const openedDaysAgo = 45;

/** Adds customers until the merchant has `wanted`. */
export async function seedCrowd(owner: Sql, merchant: DemoMerchant, wanted: number): Promise<void> {
  const isTheirs = eq(customers.merchantId, merchant.id);
  const { existing } = only(await queriesOn(owner).select({ existing: count() }).from(customers).where(isTheirs));
  const { names, phone } = merchant.customers;
  const [first, prefixLength] = [phone(0), merchant.country === 'SG' ? 4 : 5];
  await seedCustomers(owner, {
    merchantId: merchant.id,
    // After a reset, the missing ones are unknown, so existing ones are skipped.
    from: existing < wanted ? 0 : existing,
    to: Math.max(existing, wanted),
    givenNames: names[0],
    lastNames: names[1],
    phonePrefix: first.slice(0, prefixLength),
    phoneDigits: first.length - prefixLength,
    phoneOffset: Number(first.slice(prefixLength)),
    mailDomain: merchant.owner.email.split('@')[1] as string,
    openedAt: new Date(Date.now() - openedDaysAgo * 24 * 60 * 60_000),
    mostPrincipal: merchant.currency === 'JPY' ? 20_000 : 15_000,
  });
}

export interface DemoFile {
  origin: string;
  /** The address that signs in as the owner of the tables. */
  databaseUrl: string;
  merchants: {
    id: string;
    name: string;
    currency: string;
    owner: { email: string; password: string };
    /** Other staff. */
    staff: { role: 'owner' | 'manager' | 'cashier'; email: string; password: string }[];
    merchantApiKey: string;
    stores: { storeCode: string; name: string; apiKey: string }[];
    customers: { customerId: string; phone: string; email: string }[];
    /** The customers in the API reference's examples (`docs/guides/test-data.md`). */
    testCustomers: { customerId: string; phone: string; email: string; pin: string | null }[];
    menu: { plu: string; name: string }[];
  }[];
}

async function describe(
  owner: Sql,
  merchant: DemoMerchant,
  credentials: Credentials,
): Promise<DemoFile['merchants'][0]> {
  // All demo customers have a phone and an e-mail address.
  const [phone, email] = [sql<string>`${customers.phone}`, sql<string>`${customers.email}`];
  const first = await queriesOn(owner)
    .select({ customerId: customers.id, phone, email })
    .from(customers)
    .where(eq(customers.merchantId, merchant.id))
    .orderBy(customers.phone)
    .limit(merchant.customers.count);
  const account = (email: string) => ({ email, password: credentials.passwords.get(email) as string });
  return {
    id: merchant.id,
    name: merchant.name,
    currency: merchant.currency,
    owner: account(merchant.owner.email),
    staff: merchant.staff.map(({ role, email }) => ({ role, ...account(email) })),
    merchantApiKey: credentials.merchantApiKey,
    stores: merchant.stores.map((store) => ({ ...store, apiKey: credentials.storeKeys[store.storeCode] as string })),
    customers: first,
    testCustomers: hasTestData(merchant)
      ? Object.values(testCustomers).map(({ id, phone, email, pin = null }) => ({ customerId: id, phone, email, pin }))
      : [],
    menu: Object.values(merchant.menu).flatMap((items) => items.map(([plu, name]) => ({ plu, name }))),
  };
}
