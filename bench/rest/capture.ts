/** The statements that the service really sends for each operation, taken from the driver as it sends them. */
import { appRole, type Connection, connect, type Database } from '@/db/client';
import { Queries } from '@/db/queries';
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
  let sent: Statement[] = [];
  const db = watch(connect(url, { role: appRole, max: 1 }), (text, parameters) => {
    if (!notOfEveryRequest.test(text)) sent.push({ text: text.replace(giveUp, ''), parameters });
  });
  const services = testServices(db);
  const handle = createRestHandler({
    services,
    log: createLogger('silent'),
    requests: { record: () => {}, flush: async () => {} },
  });
  const jobs = createJobs(supplies);
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
    await db.close();
  }
}

/** Framing, and the lease of a key's rate, which serves many requests. */
const notOfEveryRequest = /^(begin|commit)\b|take_tokens/;

/** A group carries out later what it can not lock; by itself, a transaction waits. */
const giveUp = / skip locked$/;

/** The same database, of which each statement is told of as it is sent. */
function watch(db: Database, tell: (text: string, parameters: unknown[]) => void): Database {
  const queriesOf = ({ send }: Queries) =>
    new Queries((statement) => {
      tell(statement.sql, statement.params);
      return send(statement);
    });
  const reserve = async (): Promise<Connection> => {
    const connection = await db.reserve();
    const unsafe: Connection['unsafe'] = (text, parameters = [], options) => {
      tell(text, parameters);
      return connection.unsafe(text, parameters, options);
    };
    return { unsafe, release: () => connection.release() };
  };
  return { ...db, pool: queriesOf(db.pool), reads: queriesOf(db.reads), reserve };
}
