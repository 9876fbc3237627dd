/** The samples in TypeScript that the documentation shows, compiled strictly against the client. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { guides } from '@/server/docs/guides';
import { operations } from '@/server/docs/operations';
import { type Sample, samplesOf, samplesOfShell } from '@/server/docs/samples';

const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const target = { origin: 'https://sandbox.example.com', apiKey: 'sk_sandbox_…' };
const stepsOf = (text: string) => [...text.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code);
const inTypescript = (samples: Sample[]) =>
  samples.filter(({ language }) => language === 'typescript').map(({ code }) => code);
const [setUp = ''] = stepsOf(guides.find(({ name }) => name === 'first-call')?.text ?? '');

/** Each operation alone, and each guide as a whole, from its set-up on. */
const samples = [
  ...operations.flatMap((operation) => inTypescript(samplesOf(operation, target))),
  ...guides.flatMap(({ name, text }) => {
    const steps = name === 'first-call' ? stepsOf(text) : [setUp, ...stepsOf(text)];
    return inTypescript(steps.flatMap((step) => samplesOfShell(step, target) ?? [])).join('\n');
  }),
];

/** What the compiler says about these files. */
async function compile(codes: string[]): Promise<string> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    skipLibCheck: true,
    paths: { 'loyalty-ordering-client': [resolve('clients/typescript/src/index.ts')] },
  };
  const files = codes.map((code, at) => {
    writeFileSync(join(folder, `sample-${at}.ts`), code);
    return `sample-${at}.ts`;
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch(
    (error) => error,
  );
  return stdout;
}

test('each compiles', async () => {
  expect(samples.length).toBeGreaterThan(50);
  expect(await compile(samples)).toBe('');
});

test('one with a misspelt field does not', async () => {
  const sale = samples.find((code) => code.includes("POST('/sales'")) ?? '';
  expect(await compile([sale.replace('subtotal:', 'subTotal:')])).toContain('subTotal');
});
