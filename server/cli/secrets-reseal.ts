import { queriesOn } from '@/db/driver';
import { StartupError } from '@/db/startup-error';
import { deriveKeys } from '@/server/domain/kernel/secrets';
import { ensureNobodyMoves } from '@/server/domain/merchants';
import { resealSecrets } from '@/server/domain/rotation';
import { readEnv, secretsOf } from '@/server/environment/env';
import { asOwner } from './database';
import { readOptions } from './run';

/**
 * Reseals with the key of `DATA_SECRET` what the database holds under the key of `DATA_SECRET_ALSO_ACCEPTED`, while the
 * service runs. Exits with 1 while anything is left.
 */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const [current, accepted] = secretsOf(readEnv(process.env), 'DATA_SECRET');
  if (accepted === undefined) {
    throw new StartupError(
      'DATA_SECRET_ALSO_ACCEPTED is missing: the secret that DATA_SECRET replaces. Without it, nothing can be read.',
    );
  }
  const { resealed, name } = await asOwner(async (owner, name) => {
    await ensureNobodyMoves(queriesOn(owner));
    return { resealed: await resealSecrets(owner, deriveKeys(current, accepted)), name };
  });
  for (const { what, done, left } of resealed) {
    process.stdout.write(`${what}: ${done} resealed, ${left} left\n`);
  }
  const isDone = resealed.every(({ left }) => left === 0);
  process.stdout.write(
    isDone
      ? `Nothing in ${name} needs DATA_SECRET_ALSO_ACCEPTED any more.\n`
      : `${name} still needs DATA_SECRET_ALSO_ACCEPTED. Run this again later: open QR codes end with their bills, requests within an hour.\n`,
  );
  if (!isDone) process.exitCode = 1;
}
