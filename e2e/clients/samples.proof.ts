/**
 * `npm run proof:samples`: the documentation's samples in Python, PHP and Java, run as they stand: each guide from its set-up on, and each operation
 * of the reference alone. Needs `python3` with requests, `php` with curl, and a JDK of 17 or later.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guides } from '@/server/docs/guides';
import { operations } from '@/server/docs/operations';
import { samplesOf, samplesOfShell } from '@/server/docs/samples';
import { restApi } from '../rest/harness';
import { seedDemo } from '../rest/sandbox/demo';

const api = restApi({ own: true });
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

let target: { origin: string; apiKey: string };
beforeAll(async () => {
  const { storeKeys } = await seedDemo(api);
  target = { origin: api.origin, apiKey: storeKeys.ORCHARD ?? '' };
});

const runners = {
  python: { file: 'sample.py', together: ['python3', 'sample.py'], alone: ['python3', 'sample.py'] },
  php: { file: 'sample.php', together: ['php', 'sample.php'], alone: ['php', 'sample.php'] },
  java: { file: 'Sample.java', together: ['jshell', '-s', 'Sample.java'], alone: ['java', 'Sample.java'] },
};

/** Runs a program. Returns all that it prints. */
async function run(file: string, [command = '', ...args]: string[], code: string): Promise<string> {
  writeFileSync(join(folder, file), `${code}\n`);
  const program = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  program.stdin.end('/exit\n'); // jshell would wait for more.
  const [printed, errors] = await Promise.all([text(program.stdout), text(program.stderr)]);
  return `${printed}${errors}`;
}

const stepsOf = (guide: string) => [...guide.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code);
const [setUp = ''] = stepsOf(guides.find(({ name }) => name === 'first-call')?.text ?? '');
const withSteps = guides.filter(({ text: guide }) => stepsOf(guide).some((step) => step.includes('$origin/api')));
const statuses = (printed: string) => [...printed.matchAll(/^(\d{3}) [{]/gm)].map(([, status]) => status);

describe.each(Object.entries(runners))('%s', (language, { file, together, alone }) => {
  test.each(withSteps)('the guide $name', async ({ name, text: guide }) => {
    const steps = name === 'first-call' ? stepsOf(guide) : [setUp, ...stepsOf(guide)];
    const samples = steps.flatMap((step) => samplesOfShell(step, target) ?? []);
    const codes = samples.filter((sample) => sample.language === language).map(({ code }) => code);
    const printed = await run(file, together, codes.join('\n\n'));
    expect(statuses(printed), printed).toEqual(codes.map(() => '200'));
  });

  test.each(operations)('the reference of $id', async (operation) => {
    const sample = samplesOf(operation, target).find((one) => one.language === language);
    const printed = await run(file, alone, sample?.code ?? '');
    // The examples name customers and packages that this merchant has not, and a till's key manages no webhooks.
    expect(printed).toMatch(/^(200|402|404) \{|^403 \{.*"scope_missing"/s);
    expect(printed).not.toContain('"endpoint_not_found"');
  });
});
