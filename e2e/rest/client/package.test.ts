/** The package that integrators install: into an empty folder, by npm, compiled strictly and used. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packClient } from '@/server/cli/pack-client';
import { restApi } from '../harness';
import { createStage, type Stage } from '../operations';

const run = promisify(execFile);
const api = restApi();
let stage: Stage;
let folder: string;

/** Packs the client as a build does, and what it needs, so that the test reaches no registry. */
async function pack(): Promise<string[]> {
  const dependencies = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => resolve('node_modules', name));
  await run('npm', ['pack', ...dependencies, '--pack-destination', folder, '--ignore-scripts']);
  packClient(join(folder, 'client.tgz'));
  return (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`);
}

beforeAll(async () => {
  stage = await createStage(api);
  folder = await mkdtemp(join(tmpdir(), 'loyalty-client-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--ignore-scripts', ...(await pack())], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

const program = `
import { createClient, openQueue, type QueuedOutcome, verifyWebhook } from 'loyalty-ordering-client';
import { openFileJournal } from 'loyalty-ordering-client/file-journal';

const [origin = '', apiKey = '', customerId = ''] = process.argv.slice(2);
const client = createClient({ origin, apiKey });
const { data, error } = await client.GET('/ping');
if (error) throw new Error(error.error.message);
const outcomes: QueuedOutcome[] = [];
const queue = await openQueue({
  client,
  journal: await openFileJournal('journal'),
  onOutcome: (_, outcome) => void outcomes.push(outcome),
});
const transaction = { transactionId: crypto.randomUUID(), customer: { customerId }, occurredAt: new Date().toISOString() };
await queue.add('/transactions/stored-value/redeem', { ...transaction, amount: 10 });
while (queue.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
await queue.close();
// @ts-expect-error A field that is misspelt.
await client.POST('/transactions/void', { body: { transactionId: ['none'] } });
// @ts-expect-error A queue stores no PIN.
await queue.add('/transactions/stored-value/redeem', { ...transaction, amount: 10, pin: '4831' }).catch(() => {});
console.log(JSON.stringify({ currency: data.merchant.currency, status: outcomes[0]?.status, verify: typeof verifyWebhook }));
`;

/** Returns what the compiler reports, as strict as it can be. */
async function compile(file: string): Promise<string> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022'];
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node', '--module', 'nodenext'];
  const compiled = run(process.execPath, [tsc, ...options, ...types, file], { cwd: folder });
  return (await compiled.catch((error: { stdout: string }) => error)).stdout;
}

test('it is installed from its tarball, compiled strictly, and works', async () => {
  await writeFile(join(folder, 'till.ts'), program);
  expect(await compile('till.ts')).toBe('');
  const { stdout } = await run(process.execPath, ['till.js', api.origin, stage.key, stage.customer.id], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({ currency: 'SGD', status: 'completed', verify: 'function' });
});

/** What the samples of the guide take from the till around them. */
const aroundSamples = `
import type { QueuedOutcome, SubmitSaleRequest } from 'loyalty-ordering-client';
declare const sale: SubmitSaleRequest & { occurredAt: string };
declare function save(body: object, outcome: QueuedOutcome): void;
declare function showBanner(text: string): void;
declare function printOrder(order: import('loyalty-ordering-client').Order): Promise<void>;
interface Incoming { body: Uint8Array; headers: import('node:http').IncomingHttpHeaders }
interface Outgoing { status(code: number): { end(): void } }
declare const app: { post(path: string, parser: object, handle: (request: Incoming, response: Outgoing) => void): void };
declare const express: { raw(options: object): object };
`;

test('the samples of the guide compile strictly', async () => {
  const guide = await readFile('docs/guides/typescript-client.md', 'utf8');
  const samples = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  expect(samples.length).toBeGreaterThan(3);
  await writeFile(join(folder, 'guide.ts'), [aroundSamples, ...samples].join('\n'));
  expect(await compile('guide.ts')).toBe('');
});

test('without the journal of files it has nothing of Node, so that a browser or WebView can load it', async () => {
  await writeFile(join(folder, 'page.js'), "export * from 'loyalty-ordering-client';");
  const entryPoints = [join(folder, 'page.js')];
  const { outputFiles } = await build({ entryPoints, bundle: true, platform: 'browser', format: 'esm', write: false });
  expect(outputFiles[0]?.text).toContain('verifyWebhook');
});
