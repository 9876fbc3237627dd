/** Screens that open, follow live updates, and close, with a change each second. */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { encode } from 'next-auth/jwt';
import type postgres from 'postgres';
import { authCookies } from '@/server/auth/cookies';
import { newId } from '@/server/domain/kernel/ids';
import { hashToken, newToken } from '@/server/domain/kernel/secrets';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { authSecret } from './service';

/** Phones at tables, and pages of the back office. */
export type Kind = 'tables' | 'offices';

export const most: Record<Kind, number> = { tables: 40, offices: 10 };

export interface Screens {
  open(kind: Kind): number;
  /** The number of updates received. */
  received(kind: Kind): number;
  stop(): Promise<void>;
}

const tables = 10;
const stayMs = { least: 2_000, most: 20_000 };

/** For a kind: the URL and headers of its stream, and the change made each second. */
interface Viewing {
  path: string;
  headers: Record<string, string>;
  news: string;
}

export async function openScreens(
  { origin, key }: { origin: string; key: string },
  owner: postgres.Sql,
): Promise<Screens> {
  const stopping = new AbortController();
  const open = { tables: 0, offices: 0 };
  const received = { tables: 0, offices: 0 };
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json() as Promise<{ url: string }>;
  };
  const atTables: Viewing[] = [];
  for (let n = 0; n < tables; n++) {
    const { url } = await post('/qr-codes', { billId: `soak-${n}`, table: String(n) });
    const headers = { 'x-table-token': url.slice(url.lastIndexOf('/') + 1) };
    atTables.push({ path: '/api/diner/table.changes', headers, news: 'data: "menu"' });
  }
  const inOffice = { path: '/api/trpc/changes', headers: await signedIn(owner, origin), news: 'data: "stockOuts"' };

  const follow = async (kind: Kind, { path, headers, news }: Viewing) => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(randomInt(stayMs.least, stayMs.most))]);
    const response = await fetch(origin + path, { headers, signal });
    if (!response.ok || !response.body) throw new Error(`a screen was answered ${response.status}`);
    open[kind] += 1;
    try {
      for await (const chunk of response.body) if (Buffer.from(chunk).includes(news)) received[kind] += 1;
    } finally {
      open[kind] -= 1;
    }
  };
  const screen = async (kind: Kind, viewing: Viewing) => {
    while (!stopping.signal.aborted) {
      await follow(kind, viewing).catch((error) => {
        if (error.name !== 'AbortError' && error.name !== 'TimeoutError') throw error;
      });
    }
  };
  const change = async () => {
    for (let isOut = false; !stopping.signal.aborted; isOut = !isOut) {
      await post(isOut ? '/stock-outs/restore' : '/stock-outs', { plus: ['P1'] });
      await wait(1_000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = Promise.all([
    change(),
    ...Array.from({ length: most.tables }, (_, n) => screen('tables', atTables[n % tables] as Viewing)),
    ...Array.from({ length: most.offices }, () => screen('offices', inOffice)),
  ]);
  // `stop` reports the error.
  running.catch(() => {});
  return {
    open: (kind) => open[kind],
    received: (kind) => received[kind],
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The headers of a page that the merchant's owner has open. */
async function signedIn(owner: postgres.Sql, origin: string): Promise<Record<string, string>> {
  const sessionToken = newToken();
  const [row] = await owner`
    with someone as (
      select m.merchant_id, u.id, u.session_version from memberships m join users u on u.id = m.user_id
      where m.role = 'owner' limit 1
    ), session as (
      insert into staff_sessions
      select ${newId()}, id, ${hashToken(sessionToken)}, session_version, '', '', now(), now(), now() + interval '1 day', now()
      from someone
    )
    select * from someone`;
  const token = { sub: row?.id, sessionToken };
  const { name } = authCookies(origin).sessionToken;
  return {
    cookie: `${name}=${await encode({ token, secret: authSecret })}`,
    [merchantHeader]: row?.merchant_id,
  };
}
