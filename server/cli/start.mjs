/** `npm start`: runs the bundle from `npm run build`. Without one, runs the sources, which report what is missing. */
import { existsSync } from 'node:fs';

process.argv.splice(2, 0, 'start');
const bundle = new URL('../../dist/loyalty.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  await import('tsx');
  await import('./loyalty.ts');
}
