/** Which release this is, and where it lies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the release: the repository, or where `bin/loyalty` is installed. */
export const root = process.env.LOYALTY_ROOT || process.cwd();

/** The version of this release, like `1.0.0`. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
