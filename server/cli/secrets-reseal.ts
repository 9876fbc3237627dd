/**
 * `npm run secrets:reseal`: seals what the database holds under the key of `DATA_SECRET_ALSO_ACCEPTED` with that of
 * `DATA_SECRET`, while the service runs. Exits with 1 while anything is left.
 */
import postgres from 'postgres';
import { queriesOn } from '@/db/client';
import { StartupError } from '@/db/startup-error';
import { deriveKeys } from '@/server/domain/kernel/secrets';
import { reseal } from '@/server/domain/rotation';
import { readEnv, secretsOf } from '@/server/process/env';
import { ensureOwner, nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const [current, accepted] = secretsOf(readEnv(process.env), 'DATA_SECRET');
  if (accepted === undefined) {
    throw new StartupError(
      'DATA_SECRET_ALSO_ACCEPTED is missing: the secret that DATA_SECRET replaces. Without it, nothing can be read.',
    );
  }
  const { resealed, where } = await withDatabase(async (ownerUrl) => {
    const owner = postgres(ownerUrl, { max: 2, onnotice: () => {} });
    await ensureOwner(queriesOn(owner));
    const found = { resealed: await reseal(owner, deriveKeys(current, accepted)), where: nameOf(ownerUrl) };
    await owner.end();
    return found;
  });
  for (const { what, done, left } of resealed) {
    process.stdout.write(`${what}: ${done} resealed, ${left} left\n`);
  }
  const isDone = resealed.every(({ left }) => left === 0);
  process.stdout.write(
    isDone
      ? `Nothing in ${where} needs DATA_SECRET_ALSO_ACCEPTED any more.\n`
      : `${where} still needs DATA_SECRET_ALSO_ACCEPTED. Run this again later: open QR codes end with their bills, requests within an hour.\n`,
  );
  if (!isDone) process.exit(1);
});
