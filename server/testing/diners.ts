/** A diner's phone for tests, with its cookies and the merchant's messages. */
import type { Sql } from '@/db/driver';
import type { TestDatabase } from '@/db/testing/database';
import { type DinerCookie, dinerCookie } from '@/server/auth/diner-cookie';
import type { Services } from '@/server/domain/kernel/context';
import { openSecret } from '@/server/domain/kernel/secrets';
import { createCallerFactory } from '@/server/trpc/diner/init';
import { dinerRouter } from '@/server/trpc/diner/router';
import { createCustomer, createMerchant, type MerchantSettings, testServices } from './factory';

const createCaller = createCallerFactory(dinerRouter);

/** Opens a phone at the merchant's account page, with its browser's cookies. */
export function openPhone(services: Services, merchantId: string, client = '192.0.2.1') {
  const cookies = new Map<string, string>();
  /** Sends and stores cookies, as a browser does. */
  const exchange = <T>(work: (cookie: DinerCookie) => T): T => {
    const request = new Headers({ cookie: [...cookies].map((one) => one.join('=')).join('; ') });
    const answer = new Headers();
    const read = work(dinerCookie(request, answer, services.publicOrigin));
    for (const line of answer.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return read;
  };
  const session: DinerCookie = {
    read: (id) => exchange((cookie) => cookie.read(id)),
    write: (id, token) => exchange((cookie) => cookie.write(id, token)),
    clear: (id) => exchange((cookie) => cookie.clear(id)),
    device: {
      read: () => exchange((cookie) => cookie.device.read()),
      write: (value) => exchange((cookie) => cookie.device.write(value)),
    },
  };
  return { cookies, session, api: createCaller({ services, client, tableToken: null, merchantId, session }) };
}
export type TestPhone = ReturnType<typeof openPhone>;

/** Returns the codes sent to a phone from the sandbox's inbox, latest last. */
export async function codesSentTo(owner: Sql, services: Services, phone: string): Promise<string[]> {
  const rows = await owner`
    select m.id, m.secret from messages m
    left join customers c on c.merchant_id = m.merchant_id and c.id = m.customer_id
    where m.kind = 'code' and coalesce(m.phone, c.phone) = ${phone} and m.secret is not null order by m.id`;
  return rows.map(({ id, secret }) => openSecret(services.messageKey, id, secret));
}

/** Signs a phone in with the code sent to it. */
export async function signIn(owner: Sql, services: Services, { api }: TestPhone, phone: string) {
  await api.identity.requestCode({ phone });
  const code = (await codesSentTo(owner, services, phone)).at(-1) ?? '';
  return api.identity.verifyCode({ phone, code });
}

let serial = 0;

/** Creates a merchant, its diners' phones, and a clock that can be moved. */
export async function createDinerScene({ owner, db }: TestDatabase, settings: MerchantSettings = {}) {
  let now = new Date('2026-11-20T10:00:00Z');
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner, settings);
  const open = (merchantId = merchant.id, client?: string) => openPhone(services, merchantId, client);
  const codes = (phone: string) => codesSentTo(owner, services, phone);
  /** A valid number that no customer has. */
  const newNumber = () => `+659${1_000_000 + ++serial}`;
  return {
    services,
    merchant,
    open,
    codes,
    newNumber,
    lastCode: async (phone: string) => (await codes(phone)).at(-1) ?? '',
    /** Signs a phone in. */
    comeIn: (phone: string, device = open()) => signIn(owner, services, device, phone).then(() => device),
    customerWithPhone: async () => {
      const customer = { ...(await createCustomer(owner, merchant.id)), phone: newNumber() };
      await owner`update customers set phone = ${customer.phone} where id = ${customer.id}`;
      return customer;
    },
    passSeconds: (count: number) => {
      now = new Date(now.getTime() + count * 1000);
    },
    now: () => now,
  };
}

/** Returns the domain error's code. */
export const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.cause?.code ?? error.code,
  );

/** Returns six other digits. */
export const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
