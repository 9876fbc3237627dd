/**
 * Sessions of staff: what starts and ends them, what lists show, and what remains afterwards. Tests move the rows'
 * times.
 */
import { describe, expect, test } from 'vitest';
import { withPerson } from '@/db/driver';
import { Queries } from '@/db/query/queries';
import { staffSessions } from '@/db/schema';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createPerson, lettersTo, newBrowser, password, personOf, sessionOf } from '@/server/testing/people';
import { hashToken } from '../kernel/secrets';
import { changeOwnPassword, signOutEverywhere } from './account';
import { type Browser, describeUserAgent } from './browser';
import { forgetExpired } from './forget-expired';
import { endOtherSessions, endSession, findStaff, listSessions, signOut, startSession } from './sessions';
import { signIn } from './sign-in';

const database = sharedDatabase();
const services = () => testServices(database.db);

const find = (token: string) => findStaff(services(), token);

/** Creates a person and a session, and returns its token. */
async function signedIn() {
  const person = await createPerson(database.owner);
  return { ...person, token: await sessionOf(services(), person.userId) };
}

/** Makes a session older. */
const age = (token: string, interval: string) => database.owner`
  update staff_sessions set created_at = created_at - ${interval}::interval,
    last_seen_at = last_seen_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval
  where token_hash = ${hashToken(token)}`;

const use = (token: string) => database.owner`
  update staff_sessions set last_seen_at = now() where token_hash = ${hashToken(token)}`;

const lastSeen = async (token: string): Promise<Date> => {
  const [row] = await database.owner`select last_seen_at from staff_sessions where token_hash = ${hashToken(token)}`;
  return row?.last_seen_at;
};

describe('a session', () => {
  test('ends with its sign-out, whoever kept the cookie; others of the person go on', async () => {
    const { userId, token } = await signedIn();
    const other = await sessionOf(services(), userId);
    expect(await find(token)).toMatchObject({ userId });
    await signOut(services(), { userId, token });
    expect(await find(token)).toBeNull();
    expect(await find(other)).toMatchObject({ userId });
    await signOut(services(), { userId, token });
  });

  test('is over for requests that are sent while it is signed out', async () => {
    const { userId, token } = await signedIn();
    await age(token, '10 minutes');
    const requests = Array.from({ length: 20 }, () => find(token));
    await Promise.all([...requests, signOut(services(), { userId, token })]);
    expect(await find(token)).toBeNull();
    expect(await database.owner`select from staff_sessions where user_id = ${userId}`).toHaveLength(0);
  });

  test('is not brought back by a request that notes its use and waits for the sign-out', async () => {
    const { token } = await signedIn();
    await age(token, '10 minutes');
    let request: ReturnType<typeof find> | undefined;
    await database.owner.begin(async (sql) => {
      await sql`delete from staff_sessions where token_hash = ${hashToken(token)}`;
      request = find(token);
      const isWaiting = async () => {
        const waiting = await database.owner`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      };
      await expect.poll(isWaiting).toBe(true);
    });
    expect(await request).toBeNull();
  });

  test('ends after 12 hours without use', async () => {
    const { token } = await signedIn();
    await age(token, '11 hours 59 minutes');
    expect(await find(token)).not.toBeNull();
    await age(token, '12 hours');
    expect(await find(token)).toBeNull();
  });

  test('ends after 7 days, however much it is used', async () => {
    const { token } = await signedIn();
    await age(token, '6 days 23 hours 59 minutes');
    await use(token);
    expect(await find(token)).not.toBeNull();
    await age(token, '1 minute');
    await use(token);
    expect(await find(token)).toBeNull();
  });

  test('notes its use at most every five minutes, and none by a page that only stays open', async () => {
    const { token } = await signedIn();
    const began = await lastSeen(token);
    await find(token);
    expect(await lastSeen(token)).toEqual(began);
    await age(token, '6 minutes');
    const before = await lastSeen(token);
    await findStaff(services(), token, { isUse: false });
    expect(await lastSeen(token)).toEqual(before);
    await find(token);
    expect((await lastSeen(token)).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('is found with the memberships in one statement', async () => {
    const { userId, token } = await signedIn();
    for (const name of ['Bakery', 'Arcade']) {
      const { id } = await createMerchant(database.owner, { name });
      await database.owner`insert into memberships (merchant_id, user_id, role) values (${id}, ${userId}, 'cashier')`;
    }
    let statements = 0;
    const pool = new Queries((statement) => {
      statements += 1;
      return database.db.pool.send(statement);
    });
    const person = await findStaff({ ...services(), db: { ...database.db, pool } }, token);
    expect(person?.memberships.map(({ merchantName }) => merchantName)).toEqual(['Arcade', 'Bakery']);
    expect(statements).toBe(1);
    await database.owner`delete from memberships where user_id = ${userId}`;
    expect((await find(token))?.memberships).toEqual([]);
  });

  test('ends at the next request after “sign out everywhere”, as do those that start at that moment', async () => {
    const { userId, email, token } = await signedIn();
    const user = { userId, email, name: '', sessionVersion: 1, language: null };
    await signOutEverywhere(services(), newBrowser(), { userId });
    expect(await find(token)).toBeNull();
    // The password had been checked before it changed.
    expect(await find(await startSession(services(), newBrowser(), user))).toBeNull();
    expect(await find(await sessionOf(services(), userId))).toMatchObject({ userId });
  });

  test('after “sign out everywhere”, only the browser that asked for it is still known', async () => {
    const { userId, email } = await createPerson(database.owner);
    const [here, there] = [newBrowser(), newBrowser()];
    for (const browser of [here, there]) await signIn(services(), browser, { email, password });
    await signOutEverywhere(services(), here, { userId });
    const mails = async () => (await lettersTo(services(), email)).filter(({ kind }) => kind === 'newDevice').length;
    const before = await mails();
    await signIn(services(), here, { email, password });
    expect(await mails()).toBe(before);
    await signIn(services(), there, { email, password });
    expect(await mails()).toBe(before + 1);
  });

  test('is forgotten once it has ended', async () => {
    const { userId, token } = await signedIn();
    const other = await sessionOf(services(), userId);
    await age(token, '13 hours');
    await forgetExpired(services());
    expect(await database.owner`select from staff_sessions where user_id = ${userId}`).toHaveLength(1);
    expect(await find(other)).not.toBeNull();
  });
});

describe('the list of sessions', () => {
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

  test('shows browser and network of those that last, the last used first, and ends one or all others', async () => {
    const { userId, email } = await createPerson(database.owner);
    const open = async (browser: Browser) => {
      const session = await signIn(services(), browser, { email, password });
      return session?.token ?? '';
    };
    const old = await open(newBrowser({ userAgent: windows, client: '203.0.113.77' }));
    await age(old, '1 hour');
    const ended = await open(newBrowser());
    await age(ended, '8 days');
    const third = await open(newBrowser({ client: '2001:db8:77:1::5' }));
    const here = await find(await open(newBrowser()));
    if (!here) throw new Error('not signed in');
    expect(await listSessions(services(), here)).toMatchObject([
      { isThis: true, sessionId: here.sessionId },
      { isThis: false, browser: '', network: '2001:db8:77::/48' },
      { isThis: false, browser: 'Chrome · Windows', network: '203.0.113.0/24' },
    ]);
    const sessionId = (await find(third))?.sessionId ?? '';
    const stranger = await personOf(services(), (await createPerson(database.owner)).userId);
    await endSession(services(), stranger, { sessionId });
    expect(await find(third)).not.toBeNull();
    await endSession(services(), here, { sessionId });
    expect(await find(third)).toBeNull();
    expect(await find(old)).not.toBeNull();
    await endOtherSessions(services(), here);
    expect(await find(old)).toBeNull();
    expect(await listSessions(services(), here)).toHaveLength(1);
    expect(userId).toBe(here.userId);
  });

  test('the application sees, ends and starts sessions of the transaction’s person only', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    expect(await database.db.pool.select().from(staffSessions)).toEqual([]);
    const seen = await withPerson(database.db, mine.userId, ({ db }) => db.select().from(staffSessions));
    expect(seen.map(({ userId }) => userId)).toEqual([mine.userId]);
    const deleted = await withPerson(database.db, mine.userId, ({ db }) => db.delete(staffSessions));
    expect(deleted.count).toBe(1);
    expect(await find(theirs.token)).not.toBeNull();
    const row = { ...seen[0], id: theirs.userId, userId: theirs.userId } as typeof staffSessions.$inferInsert;
    const insert = withPerson(database.db, mine.userId, ({ db }) => db.insert(staffSessions).values(row));
    await expect(insert).rejects.toMatchObject({ code: '42501' });
    const move = withPerson(database.db, mine.userId, ({ db }) =>
      db.update(staffSessions).set({ userId: theirs.userId }),
    );
    await expect(move).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a mail', () => {
  const kinds = async (email: string) => (await lettersTo(services(), email)).map(({ kind }) => kind);

  test('tells of a sign-in from a new browser, in the person’s language, and of no other', async () => {
    const { email } = await createPerson(database.owner);
    const own = newBrowser({ language: 'zh', client: '203.0.113.9' });
    await signIn(services(), own, { email, password });
    await signIn(services(), own, { email, password });
    expect(await kinds(email)).toEqual(['newDevice']);
    await signIn(services(), newBrowser({ language: 'en', client: '198.51.100.7' }), { email, password });
    expect((await lettersTo(services(), email))[0]).toMatchObject({
      kind: 'newDevice',
      language: 'zh',
      network: '198.51.100.0/24',
    });
  });

  test('tells of ten new browsers in an hour, and of no more', async () => {
    const [one, other] = [await createPerson(database.owner), await createPerson(database.owner)];
    for (let n = 0; n < 12; n++) await sessionOf(services(), one.userId);
    await sessionOf(services(), other.userId);
    expect([(await kinds(one.email)).length, (await kinds(other.email)).length]).toEqual([10, 1]);
  });

  test('does not tell of a browser that several people share, once each of them signed in there', async () => {
    const [first, second] = [await createPerson(database.owner), await createPerson(database.owner)];
    const till = newBrowser();
    for (const { email } of [first, second, first, second]) await signIn(services(), till, { email, password });
    expect([await kinds(first.email), await kinds(second.email)]).toEqual([['newDevice'], ['newDevice']]);
  });

  test('a device cookie of another person, or with anything changed, makes no browser known', async () => {
    const [thief, victim] = [await createPerson(database.owner), await createPerson(database.owner)];
    const browser = newBrowser();
    await signIn(services(), browser, { email: thief.email, password });
    const cookie = browser.device.read() ?? '';
    for (const value of [cookie, `A${cookie.slice(1)}`, cookie.split('.')[0], '', 'x'.repeat(5_000), '.'.repeat(50)]) {
      browser.device.write(value as string);
      await signIn(services(), browser, { email: victim.email, password });
    }
    expect(await kinds(victim.email)).toHaveLength(6);
  });

  test('tells of a new password, which makes all other browsers new', async () => {
    const { userId, email } = await createPerson(database.owner);
    const [own, stolen] = [newBrowser(), newBrowser()];
    for (const browser of [own, stolen]) await signIn(services(), browser, { email, password });
    const change = { presentPassword: password, newPassword: 'another good one' };
    await changeOwnPassword(services(), own, await personOf(services(), userId), change);
    const before = await kinds(email);
    expect(before[0]).toBe('passwordChanged');
    await signIn(services(), own, { email, password: 'another good one' });
    expect(await kinds(email)).toEqual(before);
    await signIn(services(), stolen, { email, password: 'another good one' });
    expect(await kinds(email)).toEqual(['newDevice', ...before]);
  });
});

test.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari · macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari · iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome · iPad',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge · Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Samsung Internet · Android',
  ],
  ['curl/8.5.0', ''],
])('%s is %s', (userAgent, described) => {
  expect(describeUserAgent(userAgent)).toBe(described);
});
