/**
 * `npm run proof:cells`: two cells, 40 merchants at work in one and 8 in the other. Five move there and back, while
 * processes are killed.
 */
import { readOptions, run } from '@/server/cli/run';
import { runDrill } from './drill';

const say = (line: string) => process.stdout.write(`${line}\n`);

run(async () => {
  readOptions({});
  const kills = ['command', 'source database', 'target database', 'source service', 'router'] as const;
  const { complaints, figures } = await runDrill(
    { merchants: 40, moving: 5, kills: [...kills], quietSeconds: 20 },
    say,
  );
  for (const [name, value] of Object.entries(figures)) say(`  ${name.padEnd(48)}${value}`);
  for (const one of complaints.slice(0, 20)) say(`  ✗ ${one}`);
  say(complaints.length === 0 ? '\nPassed.' : `\nFailed: ${complaints.length}.`);
  process.exit(complaints.length > 0 ? 1 : 0);
});
