import { StartupError } from '@/db/startup-error';
import { sendPasswordReset } from '@/server/domain/access';
import { secretIdsOf } from '@/server/domain/kernel/secrets';
import { type Imported, importMerchant, openArchive } from '@/server/domain/merchant-archive';
import { readEnv } from '@/server/environment/env';
import { createServices } from '@/server/environment/services';
import { asOwner } from './database';
import { readSubject } from './run';

export const usage = 'kopi.zip [--keys new|carry] [--same-people] [--fingerprint sha256]';

const settings = {
  keys: { type: 'string', default: 'new' },
  'same-people': { type: 'boolean' },
  fingerprint: { type: 'string' },
} as const;

/** Imports the merchant of an archive. Mails owners without an account a link to choose a password. */
export async function main(args: string[]): Promise<void> {
  const { subject: path, values } = readSubject('the file', settings, args);
  const { keys, 'same-people': arePeopleSame = false, fingerprint: namedFingerprint } = values;
  if (keys !== 'new' && keys !== 'carry') throw new StartupError('--keys must be new or carry.');
  const services = createServices(readEnv(process.env));
  try {
    const archive = await openArchive(path);
    const { environment, cell, archiveKeys } = services;
    const options = {
      environment,
      cell,
      secretIds: secretIdsOf(services),
      keys,
      arePeopleSame,
      archiveKeys,
      namedFingerprint,
      now: new Date(),
    } as const;
    const imported = await asOwner((owner) => importMerchant(owner, archive, options)).finally(() => archive.close());
    for (const email of imported.newOwners) await sendPasswordReset(services, { email, language: 'en' });
    process.stdout.write(describe(imported));
  } finally {
    await services.db.close();
  }
}

function describe({ merchant, rows, newKeys, newOwners, newPeople }: Imported): string {
  const closed = merchant.isClosed ? ' It is closed: open it when its tills are to come here (merchant open).' : '';
  const keyLines = newKeys.map(
    ({ name, storeCode, key }) => `  ${(storeCode ?? 'all stores').padEnd(16)} ${key}  ${name}\n`,
  );
  const parts = [
    `${merchant.name} (${merchant.id}) is imported: ${rows} rows.${closed}\n`,
    ...(newKeys.length > 0 ? [`\nIts API keys, shown only once:\n\n${keyLines.join('')}`] : []),
    ...newOwners.map((email) => `\n${email} gets a mail with a link to choose a password, valid for an hour.\n`),
    ...(newPeople > newOwners.length
      ? ['\nOther staff without an account here choose a password by “Forgot password?” on the sign-in page.\n']
      : []),
  ];
  return parts.join('');
}
