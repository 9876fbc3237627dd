/** Captures the statements that the service really sends for each operation, from the driver. */
import { appRole, type Connection, connectDatabase, type Database } from '@/db/driver';
import { Queries } from '@/db/query/queries';
import { createLogger } from '@/server/observe/log';
import { createRestHandler } from '@/server/rest/handler';
import { testServices } from '@/server/testing/factory';
import { createJobs, type Operation, type Shop, type Supplies, toHttp } from './jobs';
import { nameStatements, type Statement, type Statements } from './statements';

/** Sends one request of each operation to the database at `url`. */
export async function captureStatements(url: string, supplies: Supplies): Promise<Statements> {
  let sent: Statement[] = [];
  const db = watch(connectDatabase(url, { role: appRole, max: 1 }), (text, parameters) => {
    if (!notPerRequest.test(text)) sent.push({ text: text.replace(skipLocked, ''), parameters });
  });
  const services = testServices(db);
  const handle = createRestHandler({
    services,
    log: createLogger('silent'),
    requests: { record: () => {}, flush: async () => {} },
  });
  const jobs = createJobs(supplies);
  const [{ key }] = supplies.shops as [Shop];
  async function statementsOf(method: 'GET' | 'POST', path: string, body = ''): Promise<Statement[]> {
    sent = [];
    const reply = await handle({
      method,
      url: path.slice(1),
      apiKey: key,
      client: '127.0.0.1',
      contentType: 'application/json',
      body: async () => Buffer.from(body),
    });
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.body}`);
    return sent;
  }

  try {
    // The driver's own first query is not the service's.
    await statementsOf('GET', '/ping');
    const key = await statementsOf('GET', '/ping');
    const ofOperation = async <O extends Operation>(operation: O): Promise<Statements[O]> => {
      const job = jobs.next(operation);
      const { method, path, body } = toHttp(job);
      const all = await statementsOf(method, path, body);
      jobs.done(job);
      return nameStatements(operation, all.slice(key.length));
    };
    return {
      key: nameStatements('key', key),
      balances: await ofOperation('balances'),
      redeem: await ofOperation('redeem'),
      topUp: await ofOperation('topUp'),
      voucher: await ofOperation('voucher'),
      sale: await ofOperation('sale'),
      void: await ofOperation('void'),
    };
  } finally {
    await db.close();
  }
}

/** What frames a transaction, and the lease of a key's rate, which covers many requests. */
const notPerRequest = /^(begin|commit)\b|^select 1 \/ \(clock_timestamp\(\)|take_tokens/;

/** A group postpones members that it cannot lock; a single transaction waits. */
const skipLocked = / skip locked/;

/** The same database, which reports each statement as it is sent. */
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
