/** A function's name means one thing in a folder of the domain. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const domain = 'server/domain';
/** A function, arrow function or prepared query of a module. Constants, such as `batchSize`, may differ by file. */
const definition = /^(?:export )?(?:(?:async )?function|const) (\w+)(?: = (?:async )?(?:\w+\(|\(|<)|\(|<)/gm;

const isModule = (file: string) => /(?<!\.test)\.tsx?$/.test(file) && file !== 'index.ts';
const folders = readdirSync(domain, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(folders.map(({ name }) => name))('no two files of %s define functions of one name', (folder) => {
  const files = new Map<string, Set<string>>();
  for (const file of readdirSync(join(domain, folder)).filter(isModule)) {
    for (const [, name = ''] of readFileSync(join(domain, folder, file), 'utf8').matchAll(definition)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  expect([...files].filter(([, places]) => places.size > 1).map(([name, places]) => [name, ...places])).toEqual([]);
});
