/** `readUnwritten` returns exactly what pino's destination has yet to write. */
import { once } from 'node:events';
import { devNull } from 'node:os';
import pino from 'pino';
import { expect, test } from 'vitest';
import { readUnwritten } from './unwritten';

const open = (dest: string) => pino.destination({ dest, sync: false, minLength: 1_000 });
const textOf = (output: ReturnType<typeof open>) => readUnwritten(output).toString();

test('lines are unwritten until their write begins', async () => {
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

test.skipIf(process.platform !== 'linux')(
  'after a failed write, lines are unwritten again, before the next ones',
  async () => {
    const output = open('/dev/full');
    await once(output, 'ready');
    output.write('first\n');
    output.flush();
    await once(output, 'error');
    output.write('second\n');
    expect(textOf(output)).toBe('first\nsecond\n');
    output.destroy();
  },
);
