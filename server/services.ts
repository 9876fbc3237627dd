import { appRole, connect } from '@/db/client';
import { systemClock } from './domain/core/clock';
import type { Services } from './domain/core/context';
import { deriveKeys } from './domain/core/secrets';
import { type Env, env } from './env';
import { createStripe } from './payments/stripe';

let services: Services | undefined;

/** What the use cases of this process run on. */
export function getServices(): Services {
  services ??= createServices(env());
  return services;
}

/** The database, clock, keys and channels that these settings ask for; the pool belongs to the caller, who closes it. */
export function createServices(settings: Env): Services {
  return {
    db: connect(settings.DATABASE_URL, {
      directUrl: settings.DATABASE_DIRECT_URL,
      max: settings.DATABASE_POOL_SIZE,
      // With an owner's address of its own, DATABASE_URL signs in as the restricted role; else it must step down.
      role: settings.DATABASE_OWNER_URL ? undefined : appRole,
    }),
    clock: systemClock,
    systemClock,
    environment: settings.APP_ENV === 'production' ? 'live' : 'sandbox',
    ...deriveKeys(settings.DATA_SECRET),
    publicOrigin: settings.PUBLIC_ORIGIN,
    messenger: settings.WHATSAPP_ACCESS_TOKEN ? 'whatsapp' : 'inbox',
    mailer: settings.SMTP_URL ? 'smtp' : 'inbox',
    cardPayments: createStripe(settings),
  };
}
