/** Bundles the service's entry point to `dist/`, so that production starts without a compiler. */
import { build } from 'esbuild';

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
