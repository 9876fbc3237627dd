/**
 * `npm run package`: makes a release from the current build: a folder in `dist/package` that runs with Node alone, and
 * the same as `.tar.gz`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { isBuildCurrent, markBuild } from './build-stamp';
import { licenceTexts } from './licences';
import { readOptions, run } from './run';

/** The parts of a release besides Next's output and the commands' modules. */
const parts = [
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'db/migrations',
  'deploy',
  'docs',
  'public',
  'server/process/exit-with-parent.cjs',
  'server/process/next-metrics.cjs',
];

/** Settings of this machine's own deployment, which must not be packed. */
const ofThisMachine = /(^|\/)(compose)?\.env$/;

const launcher = `#!/bin/sh
# Runs a command of this release; without one, lists them.
root=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
LOYALTY_ROOT=$root NODE_ENV=\${NODE_ENV:-production} exec node "$root/dist/loyalty.js" "$@"
`;

run(async () => {
  const { out = join('dist', 'package') } = readOptions({ out: { type: 'string' } });
  if (!isBuildCurrent()) {
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    markBuild();
  }
  const folder = join(out, 'loyalty');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await copyNext(folder);
  await copyCommands(folder);
  for (const part of parts.filter((part) => existsSync(part))) {
    cpSync(part, join(folder, part), { recursive: true, filter: (path) => !ofThisMachine.test(path) });
  }
  writeManifest(folder);
  writeFileSync(join(folder, 'THIRD_PARTY_LICENSES'), licenceTexts());
  execFileSync('npm', ['run', '--silent', 'sbom'], { stdio: ['ignore', 'ignore', 'inherit'] });
  cpSync('dist/sbom.cdx.json', join(folder, 'sbom.cdx.json'));
  const archive = join(out, 'loyalty.tar.gz');
  execFileSync('tar', [
    '--create',
    '--gzip',
    '--owner=0',
    '--group=0',
    '--file',
    archive,
    '--directory',
    out,
    'loyalty',
  ]);
  const sizes = [folder, archive].map((path) => `${path} (${Math.round(sizeOf(path) / 1024)} MB)`);
  process.stdout.write(`${sizes.join('\n')}\n`);
});

/** Copies Next's server with the modules that it traced, and the browser's files. */
async function copyNext(folder: string): Promise<void> {
  const standalone = join('.next', 'standalone');
  for (const part of ['server.js', '.next', 'node_modules']) {
    cpSync(join(standalone, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  cpSync(join('.next', 'static'), join(folder, '.next', 'static'), { recursive: true });
}

/** Copies the commands as bundled by `npm run build`, with the files of every module that they can load. */
async function copyCommands(folder: string): Promise<void> {
  const { fileList } = await nodeFileTrace(['dist/loyalty.js'], { ignore: ['node_modules/typescript/**'] });
  for (const file of fileList) {
    const to = join(folder, file);
    if (existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(realpathSync(file), to);
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'loyalty'), launcher);
  chmodSync(join(folder, 'bin', 'loyalty'), 0o755);
}

/** Written without scripts and dependencies, because nothing has to be installed. */
function writeManifest(folder: string): void {
  const { name, version, description, license, type, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifest = { name, version, description, license, private: true, type, engines };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Disk usage in KiB. */
const sizeOf = (path: string): number =>
  statSync(path).isFile()
    ? statSync(path).size / 1024
    : Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]);
