/**
 * Finishes a production build: bundles the commands into `dist/`, so that they start without a compiler, and packs the client
 * that the service offers.
 */
import { build } from 'esbuild';
import { compressStaticFiles } from './compress-static';
import { packClient } from './pack-client';

await build({
  entryPoints: ['server/cli/loyalty.ts'],
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
packClient();
