/** In a sandbox, each merchant has a clock of its own, which an owner can advance (see `docs/adr/0014`). */
import { eq } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { only } from '@/db/queries';
import { merchants } from '@/db/schema';
import { ahead, type Clock } from '../core/clock';
import type { Merchant, Services } from '../core/context';
import { findMerchant } from './find-merchant';
import { merchantColumns, toMerchant } from './merchant-row';

type Advanced = Pick<Merchant, 'clockAheadSeconds'>;

/** A merchant's clock. In production it is the machine's, whatever the merchant's row says. */
export const clockOf = ({ environment, systemClock }: Services, { clockAheadSeconds }: Advanced): Clock =>
  environment === 'live' || clockAheadSeconds === 0 ? systemClock : ahead(systemClock, clockAheadSeconds);

/** The services as they are for a merchant: in its time. */
export const inTimeOf = <Own extends Services>(services: Own, merchant: Advanced): Own => ({
  ...services,
  clock: clockOf(services, merchant),
});

/** The same where only the merchant's id is known. */
export async function inTimeOfId(services: Services, merchantId: string): Promise<Services> {
  if (services.environment === 'live') return services;
  const merchant = await findMerchant(services, merchantId);
  return merchant ? inTimeOf(services, merchant) : services;
}

/** A merchant as it stands within a database transaction of the worker, and its time. */
export async function merchantNow(
  { merchantId, db }: Tx,
  services: Services,
): Promise<{ merchant: Merchant; now: Date }> {
  const merchant = toMerchant(
    only(await db.select(merchantColumns).from(merchants).where(eq(merchants.id, merchantId))),
  );
  return { merchant, now: clockOf(services, merchant).now() };
}
