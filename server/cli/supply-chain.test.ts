/** What a release contains: its bill of materials, licences and platforms, and the check against known advisories. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { licenceTexts, productionPackages } from './licences';

async function runCommand(file: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', `server/cli/${file}`], { env: { ...process.env, ...env } });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
}

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string; content: string }[];
}

test('the bill of materials is CycloneDX 1.5, lists every production dependency, and no tool of development', async () => {
  expect((await runCommand('sbom.ts')).status).toBe(0);
  const bom = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
  expect(bom).toMatchObject({
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: expect.stringMatching(/^urn:uuid:[\da-f-]{36}$/),
    version: 1,
    metadata: { component: { type: 'application', name: 'loyalty-ordering-service' } },
  });
  const components: Component[] = bom.components;
  for (const { type, version, purl, hashes } of components) {
    expect(type).toBe('library');
    expect(purl).toMatch(/^pkg:npm\/.+@/);
    expect(purl.endsWith(`@${version}`), purl).toBe(true);
    expect(hashes.length, purl).toBeGreaterThan(0);
  }
  const refs = [bom.metadata.component, ...components].map((one: Component) => one['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const dependencies: { ref: string; dependsOn: string[] }[] = bom.dependencies;
  expect(dependencies.map(({ ref }) => ref).sort()).toEqual(refs.toSorted());
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);

  const names = new Set(components.map(({ name }) => name));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(Object.keys(manifest.dependencies).filter((name) => !names.has(name))).toEqual([]);
  const tools = ['@biomejs/biome', '@redocly/cli', 'drizzle-kit', 'fastify', 'knip', 'vitest'];
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(tools));
  expect(tools.filter((name) => names.has(name))).toEqual([]);
});

/** Licences under which a release may be used and passed on, if their texts are included. */
const allowed = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'MIT',
    'MIT-0',
    'Python-2.0',
    'Unlicense',
  ],
  'Public Domain',
  // The licence of a font, which may be included in anything but not sold by itself.
  'SIL OPEN FONT LICENSE',
];
/** Reviewed one by one. */
const exceptions: Record<string, string> = {
  // Browser data for the build.
  'caniuse-lite': 'CC-BY-4.0',
  // Used by the build, unchanged, with public source.
  lightningcss: 'MPL-2.0',
  // Only types.
  'type-fest': '(MIT OR CC0-1.0)',
  // A separate, unchanged library that can be exchanged.
  '@img/sharp': 'LGPL-3.0-or-later',
};

test('every package that production needs has a licence that was looked at', () => {
  const unknown = productionPackages().filter(({ name, licence }) => {
    const own = Object.entries(exceptions).filter(([start]) => name.startsWith(start));
    const accepted = [...allowed, ...own.map(([, exception]) => exception)];
    return !licence.split(' AND ').every((one) => accepted.includes(one));
  });
  expect(unknown.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('a release has the text of every licence', () => {
  const texts = licenceTexts().split(`\n${'-'.repeat(80)}\n\n`);
  const short = texts.filter((text) => text.length < 400).map((text) => text.split('\n')[0]);
  // It is in the public domain and has no licence text.
  expect(short).toEqual(['jsonify 0.0.1']);
  const sharp = texts.find((text) => text.startsWith(`@img/sharp-libvips-${process.platform}-${process.arch} `));
  expect(sharp).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  // Next includes compiled packages.
  expect(texts.find((text) => text.startsWith('next '))).toContain('Copyright (c) 2014-present Sebastian McKenzie');
});

test('what has a native part for Linux on x64 has the same for arm64', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // trpc-to-openapi lists rollup's x64 package by mistake. Nothing loads it.
  const natives = Object.keys(packages).filter((path) => /linux(musl)?-x64/.test(path) && !path.includes('@rollup/'));
  const versions = (path: string) => `${path} ${packages[path]?.version} ${/^sha512-/.test(packages[path]?.integrity)}`;
  expect(natives.length).toBeGreaterThan(10);
  expect(natives.map((path) => versions(path.replace('-x64', '-arm64')))).toEqual(
    natives.map((path) => `${path.replace('-x64', '-arm64')} ${packages[path].version} true`),
  );
});

/** Runs the check against a registry with these advisories; null for one that does not answer. */
async function checkedWith(advisories: Record<string, unknown[]> | null) {
  const registry = createServer((request, response) => {
    const isQuestion = request.url?.endsWith('/security/advisories/bulk');
    if (!isQuestion || !advisories) return void response.writeHead(isQuestion ? 405 : 404).end('{}');
    response.setHeader('content-type', 'application/json').end(JSON.stringify(advisories));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  // npm caches advisories by their id.
  const cache = await mkdtemp(join(tmpdir(), 'npm-'));
  try {
    const settings = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache };
    return await runCommand('advisories.ts', settings);
  } finally {
    await rm(cache, { recursive: true });
    registry.closeAllConnections();
    registry.close();
  }
}

const advisory = (severity: string) => ({
  id: 1,
  severity,
  title: 'Leaks rows',
  url: 'https://advisories.example/1',
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 5, vectorString: null },
});

test('known advisories are listed, and those that are high or critical fail the check', async () => {
  const none = await checkedWith({});
  expect(none).toMatchObject({ status: 0, stdout: 'Advisories: 0; high or critical: 0.\n' });
  const moderate = await checkedWith({ 'csv-parse': [advisory('moderate')] });
  expect(moderate).toMatchObject({
    status: 0,
    stdout: 'moderate: csv-parse: Leaks rows https://advisories.example/1\nAdvisories: 1; high or critical: 0.\n',
  });
  const critical = await checkedWith({ 'csv-parse': [advisory('critical')] });
  expect(critical.status).toBe(1);
  expect(critical.stdout).toContain('critical: csv-parse: Leaks rows');
});

test('a registry that does not answer is no pass', async () => {
  expect(await checkedWith(null)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Not checked: the package registry does not answer questions about advisories.\n',
  });
});
