/** `npm run proof:pgbouncer`: the REST suites through PgBouncer in transaction mode, with fewer connections than clients. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StartupError } from '@/db/startup-error';
import { run } from '@/server/cli/run';
import { installBinary } from './recovery/binaries';

run(async () => {
  if (spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status !== 0) {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
      throw new StartupError('PgBouncer is missing: apt-get install pgbouncer.');
    }
    installBinary('pgbouncer');
  }
  const files = process.argv.slice(2);
  const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...(files.length > 0 ? files : ['e2e/rest'])], {
    stdio: 'inherit',
    env: { ...process.env, POOLER: 'pgbouncer' },
  });
  process.exitCode = status ?? 1;
});
