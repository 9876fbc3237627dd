import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the service serves the client, for `npm install <origin>/loyalty-ordering-client.tgz`. */
const clientTarball = join('public', 'loyalty-ordering-client.tgz');

/** Compiles and packs the TypeScript client into `file`. */
export function packClient(file = clientTarball): void {
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(join('dist', 'client-'));
  try {
    execFileSync('npm', ['pack', resolve('clients/typescript'), '--pack-destination', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    });
    const [packed = ''] = readdirSync(folder);
    copyFileSync(join(folder, packed), file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
