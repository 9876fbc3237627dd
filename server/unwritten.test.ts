/** What `unwritten.ts` reads of pino's destination is what it has yet to write. */
import { once } from 'node:events';
import { devNull } from 'node:os';
import pino from 'pino';
import { expect, test } from 'vitest';
import { unwritten } from './unwritten';

const open = (dest: string) => pino.destination({ dest, sync: false, minLength: 1_000 });
const textOf = (output: ReturnType<typeof open>) => unwritten(output).toString();

test('lines wait until they are begun', async () => {
  const output = open(devNull);
  output.write('first\n');
  output.write('second\n');
  expect(textOf(output)).toBe('first\nsecond\n');
  await once(output, 'ready');
  output.flush();
  output.write('third\n');
  expect(textOf(output)).toBe('third\n');
  output.destroy();
});

test.skipIf(process.platform !== 'linux')('lines that could not be written wait again, before the next', async () => {
  const output = open('/dev/full');
  await once(output, 'ready');
  output.write('first\n');
  output.flush();
  await once(output, 'error');
  output.write('second\n');
  expect(textOf(output)).toBe('first\nsecond\n');
  output.destroy();
});
