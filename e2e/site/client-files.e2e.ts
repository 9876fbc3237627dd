/** The build's files for browsers contain nothing of the server. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCanary } from '../canary';
import { blankSettings } from '../fixtures/service-environment';
import { expect, test } from '../fixtures/test';

const folder = join('.next', 'static');

test('they contain no source map, no setting or its value, and nothing of the database', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const scripts = files.filter((file) => file.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(20);
  const settings = Object.keys(blankSettings).filter((name) => name.includes('_'));
  const ofTheServer = ['sourceMappingURL=', 'merchant_id', 'postgres', 'graphile', 'argon2', buildCanary, ...settings];
  for (const file of scripts) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(
      ofTheServer.filter((word) => text.includes(word)),
      file,
    ).toEqual([]);
  }
});
