/** A merchant moves to another database by the operator's commands: close, export, import, open. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase, type TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '../domain/access/authenticate';
import { getTablePage } from '../domain/qr-ordering/table-page';
import { testArchiveKey, testSecret, testServices } from '../testing/factory';
import { createHistory } from '../testing/merchant-history';
import { lettersTo } from '../testing/people';

const source = ownDatabase();
const target = ownDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'move-'));
});
afterAll(() => rm(folder, { recursive: true }));

const settings = {
  APP_ENV: 'sandbox',
  AUTH_SECRET: testSecret,
  DATA_SECRET: testSecret,
  ARCHIVE_KEY: testArchiveKey,
};

/** Runs a command on a database. Returns its exit code and what it printed. */
const run = async ({ url }: TestDatabase, args: string[], own: Record<string, string> = {}) =>
  promisify(execFile)('node', [await commands(), ...args], {
    env: {
      ...process.env,
      ...settings,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATABASE_URL: url,
      DATABASE_OWNER_URL: '',
      ...own,
    },
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }) => ({ code, said: stderr as string }),
  );

test('nothing is lost, keys are new, its owner gets a link, and it is open once the operator opens it', async () => {
  const { merchant, table, staff } = await createHistory(source, { seed: 11, steps: 30 });
  const out = join(folder, 'kitchen.zip');
  await run(source, ['merchant', 'close', merchant.id]);
  const exported = await run(source, ['merchant', 'export', merchant.id, '--out', out, '--secrets', '--leave']);
  expect(exported).toEqual({
    code: 0,
    said: expect.stringMatching(
      /^Test Kitchen is in .* \d+ rows, with hashes of .*\nSHA-256 [\da-f]{64}, signed with /,
    ),
  });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const left =
    'was exported to live elsewhere. Only if it lives nowhere else, take it back: merchant open --take-back.';
  expect(await run(source, ['merchant', 'open', merchant.id])).toEqual({ code: 1, said: `Test Kitchen ${left}\n` });
  expect(await run(source, ['merchant', 'open', merchant.id, '--take-back'])).toMatchObject({ code: 0 });
  await run(source, ['merchant', 'close', merchant.id]);
  for (const leave of [[], ['--leave'], ['--leave']])
    expect(await run(source, ['merchant', 'export', merchant.id, '--out', out, ...leave])).toEqual({
      code: 1,
      said: `${out} exists: name another file.\n`,
    });

  const unknown = await run(target, ['merchant', 'import', out], { ARCHIVE_KEY: '' });
  expect(unknown).toEqual({ code: 1, said: expect.stringMatching(/^The archive is signed with the key /) });
  const { said } = await run(target, ['merchant', 'import', out]);
  expect(said).toContain(`Test Kitchen (${merchant.id}) is imported: `);
  expect(said).toContain('It is closed: ');
  expect(said).toContain(`${staff.staff.email} gets a mail with a link to choose a password`);
  const keys = said.match(/sk_sandbox_\w{36}/g) ?? [];
  expect(keys).toHaveLength(3);
  const services = testServices(target.db);
  expect(await lettersTo(services, staff.staff.email)).toMatchObject([{ kind: 'passwordReset' }]);
  await expect(authenticateKey(services, keys[0])).rejects.toMatchObject({ code: 'invalid_api_key' });
  await run(target, ['merchant', 'open', merchant.id]);
  expect((await authenticateKey(services, keys[0])).merchant.id).toBe(merchant.id);
  expect((await getTablePage(services, table.visit, 'en')).state).toBe('open');
  expect(await run(target, ['ledger-verify'])).toEqual({ code: 0, said: expect.stringContaining(' is correct: ') });
  expect(await run(target, ['merchant', 'import', out])).toEqual({
    code: 1,
    said: `Test Kitchen (${merchant.id}) is in this database already: nothing was imported.\n`,
  });
});

test('what is missing or wrong is said in one line', async () => {
  const wrong = [
    [['export', 'Nobody', '--out', join(folder, 'x.zip')], /^No merchant has the id or name Nobody: [^\n]+\n$/],
    [['export', 'Nobody'], /^--out is missing: the file to write\.\n$/],
    [['import', join(folder, 'none.zip')], /can't be read as an archive, or is cut off: [^\n]+\n$/],
    [['import', 'x.zip', '--keys', 'old'], /^--keys must be new or carry\.\n$/],
    [['import'], /^Name the file, and nothing else\.\n$/],
  ] as const;
  const answers = await Promise.all(wrong.map(([args]) => run(source, ['merchant', ...args])));
  expect(answers).toEqual(wrong.map(([, said]) => ({ code: 1, said: expect.stringMatching(said) })));
});
