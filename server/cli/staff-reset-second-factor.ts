import { StartupError } from '@/db/startup-error';
import { resetSecondFactorByOperator } from '@/server/domain/access';
import { readEnv } from '@/server/process/env';
import { checkDatabase } from '@/server/process/readiness';
import { createServices } from '@/server/process/services';
import { readOptions } from './run';

export const usage = '--email ann@example.com';

/** Uses the service's own settings and database role. */
export async function main(args: string[]): Promise<void> {
  const { email } = readOptions({ email: { type: 'string' } }, args);
  if (!email) throw new StartupError('--email is missing: the address that the person signs in with.');
  const services = createServices(readEnv(process.env));
  try {
    await checkDatabase(services);
    if (!(await resetSecondFactorByOperator(services, email))) throw new StartupError(`No account has ${email}.`);
  } finally {
    await services.db.close();
  }
  process.stdout.write(`${email} signs in with the password alone, until a second step is set up again.\n`);
}
