/** `npm run findings [NAME]`: runs the scripts of `findings/` whose names contain NAME, and says of each if it still holds. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@/server/cli/run';

run(async () => {
  const [, , name = ''] = process.argv;
  for (const file of readdirSync('findings').filter((file) => file.endsWith('.sh') && file.includes(name))) {
    const path = join('findings', file);
    const { status, stdout, stderr } = spawnSync('bash', [path], { encoding: 'utf8' });
    const [, firstLine = ''] = readFileSync(path, 'utf8').split('\n');
    process.stdout.write(
      `${status === 0 ? 'holds  ' : 'CHANGED'}  ${file.padEnd(52)}  ${firstLine.slice('# '.length)}\n`,
    );
    if (status === 0) continue;
    process.stdout.write(`${stdout}${stderr}`);
    process.exitCode = 1;
  }
});
