/** Folders stand on one another in one order: biome.json finds circles of files, this those of folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const filesIn = (root: string): string[] =>
  readdirSync(root, { encoding: 'utf8', recursive: true })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => join(root, name));

/** The file of ours that an import names; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  const path = specifier.startsWith('@/') ? specifier.slice(2) : join(dirname(file), specifier);
  return [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find(
    (one) => /\.\w+$/.test(one) && existsSync(one),
  );
}

/** Which rooms each room imports; types count, too. `roomOf` returns null for what is none. */
function readPlan(root: string, roomOf: (file: string) => string | null): Map<string, Set<string>> {
  const plan = new Map<string, Set<string>>();
  for (const file of filesIn(root)) {
    const room = roomOf(file);
    if (room === null) continue;
    const below = plan.get(room) ?? new Set();
    plan.set(room, below);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'((?:@\/|\.)[^']*)'/g)) {
      const target = targetOf(file, specifier);
      const other = target?.startsWith(root) ? roomOf(target) : null;
      if (other !== null && other !== room) below.add(other);
    }
  }
  return plan;
}

/** Returns the rooms that are left when all have gone that import nothing of those left: none, unless there is a circle. */
function roomsInCircles(plan: Map<string, Set<string>>): string[] {
  let left = [...plan.keys()];
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((room) => [...(plan.get(room) ?? [])].some((other) => left.includes(other)));
  }
  return left;
}

const inFolder = (depth: number) => (file: string) => {
  const folders = file.split('/').slice(0, -1);
  return folders.length < depth ? null : folders.slice(0, depth).join('/');
};
const areas = (file: string) => inFolder(/^components\/(back-office|diner)\/.+\//.test(file) ? 3 : 2)(file);
const withoutTests = (file: string) => (/^(server|db)\/testing\//.test(file) ? null : inFolder(2)(file));

test.each([
  ['server/domain', inFolder(3), 25],
  ['server', withoutTests, 12],
  ['db', withoutTests, 5],
  ['components', areas, 35],
] as const)('no folders of %s import each other in a circle', (root, roomOf, least) => {
  const plan = readPlan(root, roomOf);
  expect(plan.size).toBeGreaterThan(least);
  expect([...plan.values()].some((below) => below.size > 2)).toBe(true);
  expect(roomsInCircles(plan)).toEqual([]);
});

test('a circle is found, and what stands on it is named with it', () => {
  const plan = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [] };
  const rooms = new Map(Object.entries(plan).map(([room, below]) => [room, new Set(below)]));
  expect(roomsInCircles(rooms)).toEqual(['a', 'b', 'c']);
});

test('no literal is spread into another, and no property is named again to leave it out', () => {
  const files = ['app', 'bench', 'components', 'db', 'e2e', 'server'].flatMap((root) =>
    readdirSync(root, { encoding: 'utf8', recursive: true })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, name)),
  );
  expect(files.length).toBeGreaterThan(1_500);
  // A property is named again only where its own name is taken in the same scope.
  const habits = /\.\.\.\{ ?\w|\w: __+[,\s]/;
  expect(files.filter((file) => habits.test(readFileSync(file, 'utf8')))).toEqual([]);
});
