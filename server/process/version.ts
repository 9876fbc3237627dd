import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@/db/root';

/** The version of this release, like `1.0.0`. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
