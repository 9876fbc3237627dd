/** Nothing starts with a driver without our patch, for example after `npm ci --ignore-scripts`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
/** Resolves `postgres` to a stand-in that can only be imported. */
const hook = asModule(`
  export const resolve = (name, context, next) => name === 'postgres'
    ? { url: ${JSON.stringify(asModule('export default () => {}'))}, shortCircuit: true }
    : next(name, context);`);
const register = asModule(`import { register } from 'node:module'; register(${JSON.stringify(hook)});`);

test.each(['start', 'worker', 'migrate'])('%s says in one line why, and ends', async (command) => {
  const flags = ['--import', 'tsx', '--import', register];
  const refused = await promisify(execFile)('node', [...flags, 'server/cli/loyalty.ts', command]).catch(
    (error) => error,
  );
  const line = /^The database driver is not patched[^\n]+ run npm ci without --ignore-scripts[^\n]+\n$/;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(line)]);
});
