/** Phones at tables that follow what changes, come and go, and are told of something each second. */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export interface Screens {
  open(): number;
  /** How many changes they were told of. */
  told(): number;
  stop(): Promise<void>;
}

const screens = 40;
const tables = 10;
const stayMs = { least: 2_000, most: 20_000 };

export async function openScreens(origin: string, key: string): Promise<Screens> {
  const stopping = new AbortController();
  let open = 0;
  let told = 0;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json() as Promise<{ url: string }>;
  };
  const tokens: string[] = [];
  for (let n = 0; n < tables; n++) {
    const { url } = await post('/qr-codes', { billId: `soak-${n}`, table: String(n) });
    tokens.push(url.slice(url.lastIndexOf('/') + 1));
  }

  const follow = async (token: string) => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(randomInt(stayMs.least, stayMs.most))]);
    const response = await fetch(`${origin}/api/diner/table.changes`, { headers: { 'x-table-token': token }, signal });
    if (!response.ok || !response.body) throw new Error(`a screen was answered ${response.status}`);
    open += 1;
    try {
      for await (const chunk of response.body) if (Buffer.from(chunk).includes('data: "menu"')) told += 1;
    } finally {
      open -= 1;
    }
  };
  const screen = async (n: number) => {
    while (!stopping.signal.aborted) {
      await follow(tokens[n % tables] as string).catch((error) => {
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
  const running = Promise.all([change(), ...Array.from({ length: screens }, (_, n) => screen(n))]);
  // Who stops them hears of it.
  running.catch(() => {});
  return {
    open: () => open,
    told: () => told,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
