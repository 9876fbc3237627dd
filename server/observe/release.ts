/** Which release this is, and where its files are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the release: the repository, or where `bin/loyalty` is installed. */
export const releaseRoot = process.env.LOYALTY_ROOT || process.cwd();

/** The version of this release, like `1.0.0`. */
export const releaseVersion: string = JSON.parse(readFileSync(join(releaseRoot, 'package.json'), 'utf8')).version;
