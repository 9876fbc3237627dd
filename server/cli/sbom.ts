/**
 * `npm run sbom`: writes the software bill of materials of a release, `dist/sbom.cdx.json` (CycloneDX 1.5): every package
 * of the lockfile that production needs, on any platform.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

interface Component {
  'bom-ref': string;
  name: string;
  properties?: { name: string; value: string }[];
}

interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Removes packages that only development needs, and references to them. */
function withoutDevelopment(bom: Bom): Bom {
  const components = bom.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  );
  const kept = new Set([bom.metadata.component, ...components].map((one) => one['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return { ...bom, components, dependencies };
}

// With `--omit dev`, which is the default under NODE_ENV=production, npm 11.19 also drops packages that production
// needs if a development tool needs them, too: zod, pino, tsx, esbuild.
const options = ['--include', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
const printed = execFileSync('npm', ['sbom', ...options], { encoding: 'utf8', maxBuffer: 64 << 20 });
const bom = withoutDevelopment(JSON.parse(printed));
// npm uses the folder's name instead.
bom.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name;
mkdirSync('dist', { recursive: true });
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bom, null, 2)}\n`);
process.stdout.write(`dist/sbom.cdx.json lists ${bom.components.length} packages.\n`);
