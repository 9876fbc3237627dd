/**
 * `npm run proof:chaos`: the full bank test, which takes some minutes. `-- --mutants` proves the test itself: each of
 * five defects must make a run fail. `-- --seed N` repeats the choices of tills and network of an earlier run.
 */
import { randomInt } from 'node:crypto';
import { StartupError } from '@/db/startup-error';
import { readOptions, run, stopSignal } from '@/server/cli/run';
import { asItIs, type Report, runBank, type Size } from './bank';
import { mutants } from './mutants';

const full: Size = {
  clients: 64,
  transactions: 10_000,
  lateOriginals: 10,
  kills: { database: 20, service: 14 },
  maxSeconds: 1_800,
};
const say = (line: string) => process.stdout.write(`${line}\n`);

function tell({ complaints, figures }: Report): void {
  for (const [name, value] of Object.entries(figures)) say(`  ${name.padEnd(24)}${value}`);
  const rules = new Set(complaints.map(({ rule }) => rule));
  for (const rule of rules) {
    const found = complaints.filter((one) => one.rule === rule);
    say(`  ✗ ${rule}: ${found.length}`);
    for (const one of found.slice(0, 3)) say(`      ${one.found}`);
  }
}

run(async () => {
  const values = readOptions({ mutants: { type: 'boolean' }, seed: { type: 'string' } });
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  say(`Seed ${seed}.`);
  const failures: string[] = [];
  const interruption = new AbortController();
  void stopSignal().then(() => interruption.abort(new StartupError('Stopped.')));
  if (!values.mutants) {
    const report = await runBank(full, seed, asItIs, interruption.signal);
    tell(report);
    if (report.complaints.length > 0) failures.push('the bank test');
  }
  for (const [name, mutant] of values.mutants ? Object.entries(mutants) : []) {
    say(`\nMutant: ${name}.`);
    const report = await runBank(mutant.size, seed, mutant, interruption.signal);
    tell(report);
    const missed = mutant.caughtBy.filter((rule) => !report.complaints.some((one) => one.rule === rule));
    say(missed.length === 0 ? 'Detected.' : `Not detected: no complaint that ${missed.join(', or that ')}.`);
    if (missed.length > 0) failures.push(`the mutant "${name}"`);
  }
  say(failures.length === 0 ? '\nPassed.' : `\nFailed: ${failures.join(', ')}.`);
  process.exit(failures.length > 0 ? 1 : 0);
});
