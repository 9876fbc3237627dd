/** Every shell sample of the guides, pasted in order into a fresh shell, against the demo's shop. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guides } from '@/server/docs/guides';
import { restApi } from './harness';
import { seedDemo } from './sandbox/demo';

const api = restApi({ own: true });
const folder = mkdtempSync(join(tmpdir(), 'guides-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const { storeKeys } = await seedDemo(api);
  const demo = { origin: api.origin, merchants: [{ stores: [{ apiKey: storeKeys.ORCHARD }] }] };
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data', 'demo.json'), JSON.stringify(demo));
});

const samplesIn = (text: string) => [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
const [setUp = ''] = samplesIn(guides.find(({ name }) => name === 'first-call')?.text ?? '');
const withSamples = guides.filter(({ text }) => samplesIn(text).some((code) => code.includes('curl')));

/**
 * Pastes samples into a shell with nothing of ours, in the demo's folder. Returns what it prints, and the requests that
 * were refused. `seed` makes its random numbers others than those of the other guides.
 */
async function paste(samples: string[], seed: number): Promise<{ output: string; refusals: string }> {
  const file = join(folder, 'refusals');
  writeFileSync(file, '');
  const prelude = `RANDOM=${seed}; curl() { command curl -sS --fail-with-body "$@" || echo "curl $*" >> ${file}; echo; }`;
  const env = { PATH: process.env.PATH, HOME: folder, NODE_ENV: process.env.NODE_ENV };
  const script = [prelude, ...samples].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env });
  return { output: stdout, refusals: readFileSync(file, 'utf8') };
}

test('there are guides with samples', () => expect(withSamples.length).toBeGreaterThan(8));

test.each(withSamples)('$name: each sample runs, in order', async (guide) => {
  const samples = samplesIn(guide.text);
  const seed = withSamples.indexOf(guide) + 1;
  const { output, refusals } = await paste(guide.name === 'first-call' ? samples : [setUp, ...samples], seed);
  expect(refusals && `${refusals}${output}`).toBe('');
  expect(output).toContain('{');
});

test('a sample that is refused is noticed', async () => {
  const unknown = 'curl "$origin/api/v1/transactions/never" -H "x-api-key: $key"';
  expect((await paste([setUp, unknown], 0)).refusals).toContain('transactions/never');
});
