import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { checkDriver } from '@/db/driver';
import { StartupError } from '@/db/startup-error';

/**
 * Runs a command-line tool with the variables of an `.env` file, if there is one. Prints one clear message for a
 * `StartupError` or a missing database permission, and a stack with all causes for anything else.
 */
export function run(main: () => Promise<void>): void {
  // Variables that are already set take precedence.
  if (existsSync('.env')) process.loadEnvFile('.env');
  Promise.resolve()
    .then(checkDriver)
    .then(main)
    .catch((error) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    });
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : null;
  if (error instanceof StartupError) return error.message;
  const refused = [error, cause].find((one) => one !== null && 'code' in one && one.code === '42501');
  if (refused) return `PostgreSQL says: ${refused.message}. Let DATABASE_OWNER_URL sign in as the owner of the tables.`;
  return [error, cause].flatMap((one) => one?.stack ?? []).join('\nCause: ');
}

/** Parses a command's options. Errors: `StartupError` that lists the known ones. */
export const readOptions = <T extends Options>(options: T, args = process.argv.slice(2)) =>
  parse(options, args, false).values;

/**
 * Like `readOptions`, for a command with one subject besides its options: `merchant close "Kopi & Kaya"`. Errors:
 * `StartupError`, also without exactly one subject, which `what` describes.
 */
export function readSubject<T extends Options>(what: string, options: T, args: string[]) {
  const { values, positionals } = parse(options, args, true);
  const [subject] = positionals;
  if (subject === undefined || positionals.length > 1) throw new StartupError(`Name ${what}, and nothing else.`);
  return { values, subject };
}

type Options = NonNullable<ParseArgsConfig['options']>;

function parse<T extends Options>(options: T, args: string[], allowPositionals: boolean) {
  try {
    return parseArgs({ options, args, allowPositionals });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    const known = names.length === 0 ? 'It takes no options.' : `The options are ${names.join(', ')}.`;
    throw new StartupError(`${(error as Error).message}. ${known}`);
  }
}

/** Resolves with the signal that asks the process to stop (Ctrl-C, SIGTERM). A second signal ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    const ask = (signal: NodeJS.Signals) => {
      if (isAsked) process.exit(130);
      isAsked = true;
      resolve(signal);
    };
    process.on('SIGINT', ask).on('SIGTERM', ask).on('SIGHUP', ask);
  });
}
