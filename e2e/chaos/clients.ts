/** POS clients that keep to the contract: without an answer, or with a 503, the same request is sent again, unchanged. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Job {
  transactionId: string;
  customerId: string;
  amount: number;
}

/** One request, and what came of it. */
export interface Exchange {
  job: Job;
  from: number;
  to: number;
  /** Null: the connection failed. */
  status: number | null;
  retryAfter: string | null;
}

/** The answer that ended a job. */
export interface Told {
  job: Job;
  status: number;
  text: string;
  sentAt: number;
  at: number;
}

export interface Load {
  told: Told[];
  exchanges: Exchange[];
  /** Settles when every job has its answer. */
  finished: Promise<unknown>;
}

export interface Pos {
  origin: string;
  key: string;
}

export function sendRedeem({ origin, key }: Pos, job: Job): Promise<Response> {
  const { transactionId, customerId, amount } = job;
  return fetch(`${origin}/api/v1/transactions/stored-value/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ transactionId, customer: { customerId }, amount }),
    signal: AbortSignal.timeout(10_000),
  });
}

/** `clients` at once work through the jobs. */
export function startClients(pos: Pos, clients: number, jobs: Job[]): Load {
  const queue = [...jobs];
  const told: Told[] = [];
  const exchanges: Exchange[] = [];

  const attempt = async (job: Job): Promise<boolean> => {
    const from = performance.now();
    let status: number | null = null;
    let retryAfter: string | null = null;
    let text = '';
    try {
      const response = await sendRedeem(pos, job);
      text = await response.text();
      ({ status } = response);
      retryAfter = response.headers.get('retry-after');
    } catch {
      // The connection failed: nobody knows what became of it.
    }
    const to = performance.now();
    exchanges.push({ job, from, to, status, retryAfter });
    if (status === null || status === 503) return false;
    told.push({ job, status, text, sentAt: from, at: to });
    return true;
  };
  const client = async () => {
    for (let job = queue.pop(); job; job = queue.pop()) {
      while (!(await attempt(job))) await wait(50);
    }
  };
  return { told, exchanges, finished: Promise.all(Array.from({ length: clients }, client)) };
}
