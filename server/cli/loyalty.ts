/** `bin/loyalty <command>`: what an operator runs. In the repository, the scripts of `package.json` run the same. */
import { StartupError } from '@/db/startup-error';
import { releaseVersion } from '../observe/release';
import { run } from './run';

interface Command {
  summary: string;
  load(): Promise<{ main(args: string[]): Promise<void>; usage?: string }>;
}

const commands: Record<string, Command> = {
  start: { summary: 'Runs the service with a worker', load: () => import('./start') },
  worker: { summary: 'Runs one more worker, for messages and scheduled tasks', load: () => import('./worker') },
  migrate: { summary: 'Brings the database to the schema of this release', load: () => import('./migrate') },
  'merchant create': {
    summary: 'Creates a merchant with its stores, owner and API keys',
    load: () => import('./merchant-create'),
  },
  'merchant list': { summary: 'Lists the merchants of the database', load: () => import('./merchant-list') },
  'merchant close': {
    summary: 'Closes a merchant to tills, staff and diners, and deletes nothing',
    load: async () => (await import('./merchant-close')).closing,
  },
  'merchant open': {
    summary: 'Opens a closed merchant again',
    load: async () => (await import('./merchant-close')).opening,
  },
  'merchant export': {
    summary: 'Writes all that a merchant has into a file',
    load: () => import('./merchant-export'),
  },
  'merchant import': {
    summary: 'Brings the merchant of such a file into the database',
    load: () => import('./merchant-import'),
  },
  'merchant move': {
    summary: 'Moves a merchant to another cell while it works, or ends a move that was broken',
    load: () => import('./merchant-move'),
  },
  'merchant moved-keys': {
    summary: 'Prints the keys of merchants that have left this cell, for the map of the router',
    load: () => import('./merchant-moved-keys'),
  },
  'card-payouts': {
    summary: 'Prints what Stripe paid out, by payout and merchant, as CSV',
    load: () => import('./card-payouts'),
  },
  'ledger-verify': {
    summary: 'Checks the ledger over the whole database; exits with 1 if it is wrong',
    load: () => import('./ledger-verify'),
  },
  'secrets-reseal': {
    summary: 'Encrypts what the database holds anew, after DATA_SECRET was replaced',
    load: () => import('./secrets-reseal'),
  },
  'staff reset-second-factor': {
    summary: 'Removes all second factors of a member of staff, and ends their sessions',
    load: () => import('./staff-reset-second-factor'),
  },
  health: { summary: 'Says whether the service is ready; exits with 1 if it is not', load: () => import('./health') },
};

run(async () => {
  const [first = '--help', second = '', ...others] = process.argv.slice(2);
  const isTwoWords = `${first} ${second}` in commands;
  const name = isTwoWords ? `${first} ${second}` : first;
  const args = isTwoWords ? others : process.argv.slice(3);
  if (first === '--version') return void process.stdout.write(`${releaseVersion}\n`);
  if (first === '--help') return void process.stdout.write(overview());
  const command = commands[name];
  if (!command) {
    const group = Object.keys(commands).filter((one) => one.startsWith(`${first} `));
    if (group.length === 0) throw new StartupError(`There is no command ${name}.\n\n${overview()}`);
    if (second === '' || second === '--help') return void process.stdout.write(overview(group));
    throw new StartupError(`There is no command ${first} ${second}.\n\n${overview(group)}`);
  }
  const { main, usage } = await command.load();
  if (args.includes('--version')) return void process.stdout.write(`${releaseVersion}\n`);
  if (!args.includes('--help')) return main(args);
  process.stdout.write(
    `loyalty ${name}${usage ? ` ${usage}` : ''}\n\n${command.summary}. .env.example lists its settings.\n`,
  );
});

function overview(names = Object.keys(commands)): string {
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${commands[name]?.summary}`);
  return `loyalty <command> [options]\n\n${lines.join('\n')}\n\nloyalty <command> --help shows its options. loyalty --version shows the release.\n`;
}
