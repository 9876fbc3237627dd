/**
 * Finishes a production build: bundles the service's entry point into `dist/`, so that it starts without a compiler.
 */
import { build } from 'esbuild';
import { compressStaticFiles } from './compress-static';

await build({
  entryPoints: ['server/cli/start.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
await compressStaticFiles();
