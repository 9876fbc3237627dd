import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { findStaff, signIn } from '@/server/domain/access';
import { testSecret, testServices } from '../testing/factory';
import { addApp, createPerson, newBrowser, password, personOf } from '../testing/people';

const database = ownDatabase();

async function reset(...options: string[]): Promise<{ code?: number; stdout: string; stderr: string }> {
  const settings = { APP_ENV: 'sandbox', DATABASE_URL: database.url, DATABASE_OWNER_URL: '', AUTH_SECRET: testSecret };
  const env = { ...process.env, ...settings, DATA_SECRET: testSecret, PUBLIC_ORIGIN: 'http://localhost:3000' };
  const command = [await commands(), 'staff', 'reset-second-factor', ...options];
  return promisify(execFile)('node', command, { env }).catch((error) => error);
}

test('lets the person in by the password alone, and says when nobody has the address', async () => {
  const services = testServices(database.db);
  const { userId, email } = await createPerson(database.owner);
  await addApp(services, await personOf(services, userId));
  const enter = async () => {
    const session = await signIn(services, newBrowser(), { email, password });
    return session && findStaff(services, session.token);
  };
  expect(await enter()).toBeNull();
  const { stdout, stderr } = await reset('--email', email);
  expect([stdout, stderr]).toEqual([expect.stringContaining(`${email} signs in with the password alone`), '']);
  expect(await enter()).toMatchObject({ userId });
  const unknown = await reset('--email', 'nobody@example.com');
  expect([unknown.code, unknown.stderr]).toEqual([1, 'No account has nobody@example.com.\n']);
});
