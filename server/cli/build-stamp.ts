import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = [
  'app',
  'clients/typescript/package.json',
  'clients/typescript/src',
  'components',
  'db',
  'pages',
  'server',
  'patches',
  'public',
  'package-lock.json',
  'next.config.js',
  'instrumentation.ts',
  'proxy.ts',
  'postcss.config.mjs',
];
const stamp = join('.next', 'source-stamp');

/** True if the production build was made from the current sources and, where that matters, with these secrets. */
export function isBuildCurrent(secrets?: string): boolean {
  if (!existsSync(stamp) || !existsSync(join('dist', 'loyalty.js'))) return false;
  const [hash, builtWith] = readFileSync(stamp, 'utf8').split(' ');
  return hash === sourceHash() && (secrets === undefined || secrets === builtWith);
}

/** Records the sources and secrets of the current build. */
export function markBuild(secrets = ''): void {
  writeFileSync(stamp, `${sourceHash()} ${secrets}`);
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    } else {
      hash.update(path).update(readFileSync(path));
    }
  };
  for (const source of sources) visit(source);
  return hash.digest('hex');
}
