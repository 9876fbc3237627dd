/** The licences of what a release contains: the packages of the lockfile that production needs, on any platform. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import licences from 'spdx-license-list/full';

/** Also in subfolders, because Next contains compiled packages of others. */
const licenceFile = /^(licen[cs]e(-[\w.]+)?|copying|notice)(\.(md|txt))?$/i;

interface Package {
  /** Where it is installed: `node_modules/zod`. */
  path: string;
  name: string;
  version: string;
  /** As its author states it: usually an SPDX expression. */
  licence: string;
}

interface Locked {
  version: string;
  name?: string;
  license?: string;
  dev?: boolean;
}

export function productionPackages(): Package[] {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, name = path.slice(path.lastIndexOf('node_modules/') + 13), license = 'none' }]) => ({
      path,
      name,
      version,
      licence: license,
    }));
}

/** Returns the licence of each installed package, with its text: from its own files, or the standard text. */
export function licenceTexts(): string {
  const texts = productionPackages()
    .filter(({ path }) => existsSync(path))
    .map(({ path, name, version, licence }) => `${name} ${version}\nLicence: ${licence}\n\n${textOf(path, licence)}\n`);
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function textOf(path: string, licence: string): string {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.includes('node_modules/') && licenceFile.test(basename(file)),
  );
  const own = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  return (own.length > 0 ? own : [licences[licence]?.licenseText ?? `${licence}.`]).join('\n\n');
}
