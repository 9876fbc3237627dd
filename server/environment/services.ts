import { appRole, connectDatabase } from '@/db/driver';
import { systemClock } from '../domain/kernel/clock';
import type { Services } from '../domain/kernel/context';
import { deriveKeys } from '../domain/kernel/secrets';
import { createStripe } from '../gateways/stripe';
import { processLog } from '../observe/log';
import { archiveKeysOf } from './archive-keys';
import { type Env, env, secretsOf } from './env';

let services: Services | undefined;

/** The services with which this process runs use cases. */
export function getServices(): Services {
  services ??= createServices(env());
  return services;
}

/** Creates the database, clock, keys and channels from the settings. The caller owns the pool and closes it. */
export function createServices(settings: Env): Services {
  return {
    db: connectDatabase(settings.DATABASE_URL, {
      directUrl: settings.DATABASE_DIRECT_URL,
      max: settings.DATABASE_POOL_SIZE,
      replica: settings.DATABASE_REPLICA_URL ? { url: settings.DATABASE_REPLICA_URL, onChange: logReplica } : undefined,
      // If the owner has a separate address, DATABASE_URL signs in as the restricted role. Otherwise the session has to
      // switch to it.
      role: settings.DATABASE_OWNER_URL ? undefined : appRole,
    }),
    clock: systemClock,
    systemClock,
    environment: settings.APP_ENV === 'production' ? 'live' : 'sandbox',
    ...deriveKeys(...secretsOf(settings, 'DATA_SECRET')),
    publicOrigin: settings.PUBLIC_ORIGIN,
    cell: settings.cell ?? null,
    messenger: settings.WHATSAPP_ACCESS_TOKEN ? 'whatsapp' : 'inbox',
    mailer: settings.SMTP_URL ? 'smtp' : 'inbox',
    codeBudget: { perHour: settings.CODES_PER_HOUR, perDay: settings.CODES_PER_DAY },
    archiveKeys: archiveKeysOf(settings),
    cardPayments: createStripe(settings),
  };
}

function logReplica(problem: string | null): void {
  if (problem === null) processLog().info('reports are read from the replica again');
  else
    processLog().warn({ problem }, 'reports are read from the primary: the replica (DATABASE_REPLICA_URL) is not used');
}
