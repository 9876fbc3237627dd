/**
 * The REST suites talk HTTP to a running service. By default each file starts the front door's REST handler on a
 * database of its own; with REST_TARGET=next they all test Next's route handler of the production build.
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { afterAll, beforeAll, inject } from 'vitest';
import { appRole, connectDatabase, type Database } from '@/db/driver';
import { cloneDatabase, openSharedDatabase } from '@/db/testing/clone';
import type { Clock } from '@/server/domain/kernel/clock';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { createFrontDoor } from '@/server/process/front-door';
import { countAttempt } from '@/server/testing/attempts';
import {
  createCustomer,
  createMerchant,
  recordingEvents,
  type TestCustomer,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { expectDocumented } from './document';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

export interface Api {
  origin: string;
  owner: postgres.Sql;
  /** As the application sees it, for use cases that no operation of the REST API starts. */
  db: Database;
  get(key: string | undefined, path: string): Promise<Answer>;
  post(key: string | undefined, path: string, body: unknown): Promise<Answer>;
  put(key: string | undefined, path: string, body: unknown): Promise<Answer>;
  patch(key: string | undefined, path: string, body: unknown): Promise<Answer>;
  /** Anything else: raw bodies, other methods and headers. */
  send(path: string, init: RequestInit): Promise<Answer>;
}

/** A service for all tests of a file; `api` works inside tests and hooks. `own`: one whose database they may break. */
export function restApi({ own = false } = {}): Api {
  let origin = '';
  let owner: postgres.Sql | undefined;
  let db: Database | undefined;
  let stop = async () => {};

  beforeAll(async () => {
    const running = own ? null : inject('restService');
    if (running) {
      origin = running.origin;
      const sql = postgres(running.databaseUrl, { max: 3, onnotice: () => {} });
      const application = connectDatabase(running.databaseUrl, { role: appRole, max: 3 });
      [owner, db] = [sql, application];
      stop = async () => {
        await Promise.all([sql.end({ timeout: 1 }), application.close()]);
      };
      return;
    }
    const database = await (own ? cloneDatabase : openSharedDatabase)(inject('adminUrl'));
    ({ owner, db } = database);
    const service = await serve(database.db);
    origin = service.origin;
    stop = async () => {
      await service.stop().finally(() => database.drop());
    };
  });
  afterAll(() => stop());

  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${origin}/api/v1${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    const body = text === '' ? null : parse(text);
    const { status, headers } = response;
    countAttempt(status >= 400);
    expectDocumented(init.method ?? 'GET', path, status, headers.get('content-type') ?? '', body);
    return { status, headers, text, body };
  };
  const headers = (key: string | undefined) => ({
    'content-type': 'application/json',
    ...(key ? { 'x-api-key': key } : {}),
  });
  return {
    get origin() {
      return origin;
    },
    get owner() {
      if (!owner) throw new Error('restApi() is for tests and hooks');
      return owner;
    },
    get db() {
      if (!db) throw new Error('restApi() is for tests and hooks');
      return db;
    },
    send,
    get: (key, path) => send(path, { headers: headers(key) }),
    post: (key, path, body) => send(path, { method: 'POST', headers: headers(key), body: JSON.stringify(body) }),
    put: (key, path, body) => send(path, { method: 'PUT', headers: headers(key), body: JSON.stringify(body) }),
    patch: (key, path, body) => send(path, { method: 'PATCH', headers: headers(key), body: JSON.stringify(body) }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function serve(
  db: Parameters<typeof createFrontDoor>[0]['services']['db'],
  clock: Clock = { now: () => new Date() },
) {
  const services = testServices(db, clock);
  const { log, check } = keptLog();
  const server = createFrontDoor({ services, log, nextOrigin: 'http://127.0.0.1:9' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      check();
    },
  };
}

export interface Scene {
  merchant: TestMerchant;
  customer: TestCustomer;
  /** The key of the first store. */
  key: string;
}

/** A merchant of one's own, who records events, with a customer. */
export async function createScene(api: Api, settings: Parameters<typeof createMerchant>[1] = {}): Promise<Scene> {
  const merchant = await createMerchant(api.owner, { ...recordingEvents, ...settings });
  return { merchant, customer: await createCustomer(api.owner, merchant.id), key: merchant.stores[0].key };
}

let serial = 0;
/** An unused transactionId. */
export const newTransactionId = (): string => `t-${process.pid}-${Date.now()}-${++serial}`;

/** What is off in the ledger: nothing, or the test fails. */
export const ledgerViolations = (api: Api) => verifyLedger(api.owner);
