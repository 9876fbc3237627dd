/**
 * `npm start`: runs the bundle that `npm run build` made or, without one, the sources, which report what is missing.
 */
import { existsSync } from 'node:fs';

process.argv.splice(2, 0, 'start');
const bundle = new URL('../../dist/loyalty.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  await import('tsx');
  await import('./loyalty.ts');
}
