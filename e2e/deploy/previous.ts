/** The release before this one, from the repository's history. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Source {
  name: string;
  /** A folder with its files and modules. */
  folder: string;
}

/**
 * The last tag `v…` before this commit. Without one, the commit before the changelog got its list of what is unreleased.
 * Where that is older than this drill, these files themselves: they then run on the drill's own migrations alone.
 */
export function previousRelease(): Source {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const opening = git('log', '-1', '--format=%H', '-S## [Unreleased]', '--', 'CHANGELOG.md');
  const commit = tag ?? (opening && `${opening}^`);
  if (!commit || git('cat-file', '-e', `${commit}:e2e/deploy/upgrade.ts`) === undefined) {
    return { name: 'this commit, for lack of an earlier one', folder: '.' };
  }
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-previous-'));
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  installModules(folder);
  return { name: tag ?? `commit ${git('rev-parse', '--short', commit)}`, folder };
}

/** Answers undefined where git refuses. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Links those that are here, if it needs the same. */
function installModules(folder: string): void {
  const [own, here] = [folder, '.'].map((path) => readFileSync(join(path, 'package-lock.json'), 'utf8'));
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  if (own === here) execFileSync('cp', ['--archive', '--link', join(process.cwd(), 'node_modules'), '.'], options);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], options);
}
