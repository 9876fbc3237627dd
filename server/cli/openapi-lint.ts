/**
 * Part of `npm run check`: the OpenAPI document passes Redocly's recommended rules without a warning. Writes what is made of
 * it first, which the other checks need.
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
