/** Tills and browsers at work through a proxy, as they would be: each keeps its connection, and none tries again. */
import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { newSale, phone } from './merchant';

const tills = 16;
const browsers = 4;

export interface Load {
  /** Resolves when so many more requests have come to an end. */
  more(count: number): Promise<void>;
  finish(): Promise<Result>;
}

interface Result {
  done: number;
  /** What was not answered 200. */
  failures: string[];
  /** How many sales, top-ups and redemptions were answered. Their ids begin with the load's name. */
  transactions: number;
  /** What the answered top-ups and redemptions left the customer, in cents. */
  balance: number;
  /** Of a till's requests. */
  slowestMs: number;
}

/**
 * `name` begins each transaction's id. Top-ups buy the package of 10 and 1 on top. Redemptions leave one cent of it, so that
 * the balance stays below its limit.
 */
export function startLoad(port: number, key: string, packageId: string, name: string): Load {
  const result: Result = { done: 0, failures: [], transactions: 0, balance: 0, slowestMs: 0 };
  let isDone = false;
  const send = createClient(port, key);

  const note = async (what: string, answer: Promise<number | string>): Promise<boolean> => {
    const startedAt = performance.now();
    const status = await answer;
    if (what !== 'page') result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt);
    result.done += 1;
    if (status !== 200) result.failures.push(`${what}: ${status}`);
    return status === 200;
  };
  const perform = async (path: string, body: { transactionId: string }, value: number): Promise<void> => {
    if (!(await note(path, send('POST', `/api/v1${path}`, body)))) return;
    result.transactions += 1;
    result.balance += value;
  };
  const till = async (n: number) => {
    const customer = { phone };
    for (let turn = 0; !isDone; turn++) {
      const id = `${name}-${n}-${turn}`;
      await note('balances', send('GET', `/api/v1/customers/phone/${encodeURIComponent(phone)}/balances`));
      await perform('/sales', newSale(id), 0);
      const topUp = { transactionId: `${id}-up`, customer, packageId };
      await perform('/transactions/stored-value/top-up', topUp, 1_100);
      const redemption = { transactionId: `${id}-down`, customer, amount: 1_099 };
      await perform('/transactions/stored-value/redeem', redemption, -1_099);
      // All tills share a key, which has 50 requests a second.
      await wait(1_500);
    }
  };
  const browser = async () => {
    while (!isDone) {
      await note('page', send('GET', '/sign-in'));
      await wait(200);
    }
  };
  const all = Promise.all([
    ...Array.from({ length: tills }, (_, n) => till(n)),
    ...Array.from({ length: browsers }, browser),
  ]);
  return {
    async more(count) {
      for (const goal = result.done + count; result.done < goal; ) await wait(20);
    },
    async finish() {
      isDone = true;
      await all;
      return result;
    },
  };
}

/** Sends requests over connections that are kept. Resolves with the status, or with why there is none. */
function createClient(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (method: 'GET' | 'POST', path: string, body?: object): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const sent = request({ agent, host: 'localhost', port, method, path, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', (error) => resolve(error.message));
      sent.end(body && JSON.stringify(body));
    });
}
