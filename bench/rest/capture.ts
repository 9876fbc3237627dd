/** The statements that the service really sends for each operation, taken from the driver as it sends them. */
import { appRole, connect } from '@/db/client';
import { createLogger } from '@/server/log';
import { createRestHandler } from '@/server/rest/handler';
import { testServices } from '@/server/testing/factory';
import { createJobs, type Operation, operations, type Supplies, toHttp } from './jobs';

export interface Statement {
  text: string;
  parameters: unknown[];
}

export interface Statements extends Record<Operation, Statement[]> {
  /** Which every request begins with, to find whose key it is; `parameters` are always the same. */
  key: Statement[];
}

/** Carries one request of each operation out on the database at `url`. */
export async function captureStatements(url: string, key: string, supplies: Supplies): Promise<Statements> {
  const services = testServices(connect(url, { role: appRole, max: 1 }));
  const handle = createRestHandler({
    services,
    log: createLogger('silent'),
    requests: { record: () => {}, flush: async () => {} },
  });
  const jobs = createJobs(supplies);
  let sent: Statement[] = [];
  (services.db.sql.options as { debug?: unknown }).debug = (_: number, text: string, parameters: unknown[]) => {
    if (!notOfEveryRequest.test(text)) sent.push({ text: text.replace(giveUp, ''), parameters: parameters.map(plain) });
  };

  async function statementsOf(method: 'GET' | 'POST', path: string, body = ''): Promise<Statement[]> {
    sent = [];
    const reply = await handle({
      ...{ method, url: path.slice(1), apiKey: key, client: '127.0.0.1', contentType: 'application/json' },
      body: async () => Buffer.from(body),
    });
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.body}`);
    return sent;
  }

  try {
    // The driver's own first question is none of the service's.
    await statementsOf('GET', '/ping');
    const statements = { key: await statementsOf('GET', '/ping') } as Statements;
    for (const operation of operations) {
      const job = jobs.next(operation);
      const { method, path, body } = toHttp(job);
      statements[operation] = (await statementsOf(method, path, body)).slice(statements.key.length);
      jobs.done(job);
    }
    return statements;
  } finally {
    await services.db.close();
  }
}

/** Framing, and the lease of a key's rate, which serves many requests. */
const notOfEveryRequest = /^(begin|commit)\b|take_tokens/;

/** A group carries out later what it can not lock; by itself, a transaction waits. */
const giveUp = / skip locked$/;

/** postgres.js wraps some values with their type. */
const plain = (parameter: unknown) =>
  typeof parameter === 'object' && parameter !== null && 'value' in parameter ? parameter.value : parameter;
