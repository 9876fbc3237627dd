/** The stream of changes over HTTP, as a browser gets it. Access is checked as for every request. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { sharedDatabase, type TestDatabase } from '@/db/testing/database';
import { signOutEverywhere } from '@/server/domain/access/account';
import { staffContext } from '@/server/domain/access/context';
import { changeRole, removeStaff } from '@/server/domain/access/memberships';
import { findStaff } from '@/server/domain/access/sign-in';
import type { StaffContext } from '@/server/domain/kernel/context';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { staffRouter } from './router';

let database: TestDatabase;
const services = () => testServices(database.db);
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await sharedDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** An owner, and another member of the merchant. */
async function newTeam() {
  const merchant = await createMerchant(database.owner);
  const owner = await createStaff(database.owner, services(), merchant.id);
  const member = await createStaff(database.owner, services(), merchant.id, 'cashier');
  return { merchant, owner, member, tell: () => callAs(owner).stores.create({ storeCode: 'NEW', name: 'New' }) };
}

/** Serves one person's session, as the back office does. */
async function serve({ staff, merchant }: StaffContext): Promise<string> {
  const lookUp = async () => {
    const person = await findStaff(services(), { userId: staff.userId, sessionVersion: 1 });
    return person && staffContext(services(), person, merchant.id);
  };
  const server = createHTTPServer({
    router: staffRouter,
    createContext: async () => ({ staff: await lookUp(), reloadStaff: lookUp }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`;
}

interface Stream {
  /** Everything received so far. */
  text(): string;
  ended: Promise<void>;
}

async function listen(url: string): Promise<Stream> {
  const leaving = new AbortController();
  closing.push(async () => leaving.abort());
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const ended = read();
  ended.catch(() => {});
  return { text: () => text, ended };
}

/** A stream that has already sent that everything may have changed. */
async function openStream(ctx: StaffContext): Promise<Stream> {
  const stream = await listen(await serve(ctx));
  await vi.waitFor(() => expect(stream.text()).toContain('data: "transactions"'), 5_000);
  return stream;
}

/** A stream that is refused and ends. */
async function expectRefusal(ctx: StaffContext): Promise<void> {
  const stream = await listen(await serve(ctx));
  await stream.ended;
  expect(stream.text()).toContain('UNAUTHORIZED');
  expect(stream.text()).not.toContain('data: "');
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** As far as the stream can tell. */
function passHalfAMinute(): void {
  const later = performance.now() + 30_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
}

test.each([
  ['whose membership ended', (owner: StaffContext, { staff }: StaffContext) => removeStaff(owner, staff)],
  [
    'who signed out everywhere',
    (_: StaffContext, { staff, ...rest }: StaffContext) => signOutEverywhere(rest, { ...staff, memberships: [] }),
  ],
])('ends within half a minute for a person %s, and can’t be opened again', async (_, end) => {
  const { owner, member, tell } = await newTeam();
  const stream = await openStream(member);
  const before = times(stream.text(), 'data: "stores"');
  await end(owner, member);
  passHalfAMinute();
  await tell();
  await stream.ended;
  expect(stream.text()).toContain('UNAUTHORIZED');
  expect(times(stream.text(), 'data: "stores"')).toBe(before);
  await expectRefusal(member);
});

test('continues for a member in any role', async () => {
  const { owner, member, tell } = await newTeam();
  const stream = await openStream(member);
  const before = times(stream.text(), 'data: "stores"');
  await changeRole(owner, { userId: member.staff.userId, role: 'manager' });
  passHalfAMinute();
  await tell();
  await vi.waitFor(() => expect(times(stream.text(), 'data: "stores"')).toBe(before + 1), 5_000);
  expect(stream.text()).not.toContain('UNAUTHORIZED');
});

test('is refused to a person who works only for other merchants', async () => {
  const [{ merchant }, { member }] = [await newTeam(), await newTeam()];
  await expectRefusal({ ...member, merchant: { ...member.merchant, id: merchant.id } });
});
