/** The stream of changes over HTTP, as a browser gets it. Access is checked as for every request. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { afterEach, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { signOutEverywhere } from '@/server/domain/access/account';
import { memberContext } from '@/server/domain/access/context';
import { changeRole, removeStaff } from '@/server/domain/access/memberships';
import { setSecondFactorDemand } from '@/server/domain/access/second-factor-demand';
import { removeAuthenticator } from '@/server/domain/access/second-factors';
import { endSession, findStaff, signOut } from '@/server/domain/access/sessions';
import type { StaffContext } from '@/server/domain/kernel/context';
import { createMerchant, testServices } from '@/server/testing/factory';
import { addApp, newBrowser, personOf, sessionOf } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { staffRouter } from './router';

const database = sharedDatabase();
const services = () => testServices(database.db);
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** Creates an owner and another member of the merchant. */
async function newTeam() {
  const merchant = await createMerchant(database.owner);
  const owner = await createStaff(database.owner, services(), merchant.id);
  const member = await createStaff(database.owner, services(), merchant.id, 'cashier');
  return { merchant, owner, member, tell: () => callAs(owner).stores.create({ storeCode: 'NEW', name: 'New' }) };
}

/** Serves one person's session, as the back office does. */
async function serve({ merchant }: StaffContext, token: string): Promise<string> {
  const lookUp = async () => {
    const person = await findStaff(services(), token, { isUse: false });
    return person && memberContext(services(), person, merchant.id);
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

/** Opens a stream that has already sent that everything may have changed. */
async function openStream(ctx: StaffContext, token: string): Promise<Stream> {
  const stream = await listen(await serve(ctx, token));
  await vi.waitFor(() => expect(stream.text()).toContain('data: "transactions"'), 40_000);
  return stream;
}

/** A stream that is refused and ends. */
async function expectRefusal(ctx: StaffContext, token: string): Promise<void> {
  const stream = await listen(await serve(ctx, token));
  await stream.ended;
  expect(stream.text()).toContain('UNAUTHORIZED');
  expect(stream.text()).not.toContain('data: "');
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** Lets the stream believe that its next ping is due. */
function passABeat(): void {
  const later = performance.now() + 15_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
}

type End = (owner: StaffContext, member: StaffContext, token: string) => Promise<unknown>;
test.each<[string, End]>([
  ['membership ended', (owner, { staff }) => removeStaff(owner, staff)],
  ['session ended everywhere', (_, { staff }) => signOutEverywhere(services(), newBrowser(), staff)],
  ['browser signed out', (_, { staff }, token) => signOut(services(), { userId: staff.userId, token })],
  [
    'session was ended elsewhere',
    async (_, { staff }, token) => {
      const session = await findStaff(services(), token);
      await endSession(services(), staff, { sessionId: session?.sessionId ?? '' });
    },
  ],
])('ends within 15 seconds for a person whose %s, and can’t be opened again', async (_, end) => {
  const { owner, member, tell } = await newTeam();
  const token = await sessionOf(services(), member.staff.userId);
  const stream = await openStream(member, token);
  const before = times(stream.text(), 'data: "stores"');
  await end(owner, member, token);
  passABeat();
  await tell();
  await stream.ended;
  expect(stream.text()).toContain('UNAUTHORIZED');
  expect(times(stream.text(), 'data: "stores"')).toBe(before);
  await expectRefusal(member, token);
});

test('ends within 15 seconds for a person who lacks a second factor that is demanded from now on', async () => {
  const { owner, member, tell } = await newTeam();
  await addApp(services(), await personOf(services(), owner.staff.userId));
  const token = await sessionOf(services(), member.staff.userId);
  const stream = await openStream(member, token);
  const before = times(stream.text(), 'data: "stores"');
  await setSecondFactorDemand(owner, { demandedOf: 'everybody', graceDays: 0 });
  passABeat();
  await tell();
  await stream.ended;
  expect(stream.text()).toContain('second_factor_required');
  expect(times(stream.text(), 'data: "stores"')).toBe(before);
});

test('says that somebody has set up a second factor, or has none any more', async () => {
  const { owner, member } = await newTeam();
  const stream = await openStream(owner, await sessionOf(services(), owner.staff.userId));
  const before = times(stream.text(), 'data: "staff"');
  const person = await personOf(services(), member.staff.userId);
  await addApp(services(), person);
  await vi.waitFor(() => expect(times(stream.text(), 'data: "staff"')).toBe(before + 1), 40_000);
  await removeAuthenticator(services(), person);
  await vi.waitFor(() => expect(times(stream.text(), 'data: "staff"')).toBe(before + 2), 40_000);
});

test('continues for a member in any role', async () => {
  const { owner, member, tell } = await newTeam();
  const stream = await openStream(member, await sessionOf(services(), member.staff.userId));
  const before = times(stream.text(), 'data: "stores"');
  await changeRole(owner, { userId: member.staff.userId, role: 'manager' });
  passABeat();
  await tell();
  await vi.waitFor(() => expect(times(stream.text(), 'data: "stores"')).toBe(before + 1), 40_000);
  expect(stream.text()).not.toContain('UNAUTHORIZED');
});

test('is refused to a person who works only for other merchants', async () => {
  const [{ merchant }, { member }] = [await newTeam(), await newTeam()];
  const token = await sessionOf(services(), member.staff.userId);
  await expectRefusal({ ...member, merchant: { ...member.merchant, id: merchant.id } }, token);
});
