/**
 * Part of `npm run check`: the OpenAPI document must pass Redocly's recommended rules without a warning. First writes
 * the files that follow from the document, because other checks need them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../rest/openapi';
import { writeApiFiles } from './generate/api-files';

await writeApiFiles(openApiDocument('http://localhost'));
mkdirSync('.data', { recursive: true });
writeFileSync('.data/openapi.json', JSON.stringify(openApiDocument('https://loyalty.test')));
const { status, stderr, stdout } = spawnSync(
  'npx',
  ['--no-install', 'redocly', 'lint', '.data/openapi.json', '--max-problems=20'],
  {
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
const isClean = status === 0 && !/warning was generated/i.test(stderr + stdout);
if (!isClean) process.stderr.write(stderr + stdout);
process.exit(isClean ? 0 : 1);
