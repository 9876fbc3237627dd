import { rmSync } from 'node:fs';
import { StartupError } from '@/db/startup-error';
import { run, stopSignal } from '@/server/cli/run';
import { openSite, type Site } from './cluster';

export const say = (line: string) => process.stdout.write(`${line}\n`);
export const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

/** A service's log that holds a secret comes up when it is stopped. */
const fail = (error: unknown) => {
  say(`Error: ${error}`);
  process.exitCode = 1;
};

/** Runs a drill, tells what it found to be off, and leaves nothing behind, however it ends. */
export function runDrill(drill: (site: Site) => Promise<string[]>, verdict: string): void {
  run(async () => {
    const site = openSite();
    const interrupted = stopSignal().then(() => {
      throw new StartupError('Stopped.');
    });
    try {
      const findings = await Promise.race([drill(site), interrupted]);
      for (const finding of findings.slice(0, 20)) say(`Error: ${finding}`);
      say(findings.length === 0 ? verdict : `Errors: ${findings.length}.`);
      process.exitCode = findings.length === 0 ? 0 : 1;
    } finally {
      for (const close of site.closing) await close().catch(fail);
      rmSync(site.folder, { recursive: true, force: true });
    }
    process.exit();
  });
}
