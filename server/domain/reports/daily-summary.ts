/** A summary of each day by e-mail, to owners and managers who want it. */

import { and, eq, isNotNull, lt, ne } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { merchantsToSummarize } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { memberships, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { addToDate, dateIn, type StoreDays } from '../kernel/calendar';
import type { Language, Merchant, Services, StaffContext } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { type DaySummary, queueMail } from '../mail';
import { readMerchantNow, readStoreDays } from '../merchants';
import { liabilityReport } from './ledger-report';
import { salesReport } from './sales-report';

/** Returns whether the signed-in person gets the summary of this merchant. */
export async function getDailySummary({ db, merchant, staff }: StaffContext): Promise<{ isOn: boolean }> {
  const { summaryLanguage: language } = memberships;
  const rows = await withMerchant(db, merchant.id, (tx) =>
    tx.db.select({ language }).from(memberships).where(isMember(tx, staff.userId)),
  );
  return { isOn: only(rows).language !== null };
}

/** Turns the signed-in person's summary on, starting with today's, in the language of their screen; or turns it off. */
export async function setDailySummary(
  ctx: StaffContext,
  { isOn, language }: { isOn: boolean; language: Language },
): Promise<void> {
  const { merchant, staff } = ctx;
  await withMerchant(ctx.db, merchant.id, async (tx) => {
    const isThis = isMember(tx, staff.userId);
    const [before] = await tx.db
      .select({ language: memberships.summaryLanguage, until: memberships.summarizedUntil })
      .from(memberships)
      .where(isThis)
      .for('update');
    if (!before || before.language === (isOn ? language : null)) return;
    // A change of language alone must not repeat a day.
    const summarizedUntil = isOn ? (before.until ?? lastDay(await readStoreDays(tx), ctx.clock.now())) : null;
    await tx.db
      .update(memberships)
      .set({ summaryLanguage: isOn ? language : null, summarizedUntil })
      .where(isThis);
    const change = { before: { dailySummary: before.language !== null }, after: { dailySummary: isOn } };
    await auditStaff(tx, ctx, 'staff.dailySummary', { kind: 'user', id: staff.userId }, change);
  });
}

const isMember = ({ merchantId }: Tx, userId: string) =>
  and(eq(memberships.merchantId, merchantId), eq(memberships.userId, userId));

/** Returns the last day that has ended in every store. */
function lastDay({ timeZone, dayStartsAt, startsAtOfStores }: StoreDays, now: Date): string {
  const latest = Math.max(dayStartsAt, ...startsAtOfStores.values());
  return addToDate(dateIn({ timeZone, dayStartsAt: latest }, now), -1);
}

/**
 * Queues the summary of each merchant's last day, once for each person, however often it runs. After a longer outage of
 * the worker, only the last day's is sent. Errors: the first fault, after all other merchants.
 */
export async function sendDailySummaries(services: Services): Promise<void> {
  const { $rows, merchantId } = merchantsToSummarize({ at: services.systemClock.now() });
  const due = await services.db.pool.select({ merchantId }).from($rows);
  await forEachInTurn(due, (merchant) => summarize(services, merchant.merchantId), services.stopping);
}

async function summarize(services: Services, merchantId: string): Promise<void> {
  const { merchant, now, isClosed, days } = await withMerchant(services.db, merchantId, async (tx) => ({
    ...(await readMerchantNow(tx, services)),
    days: await readStoreDays(tx),
  }));
  if (isClosed) return;
  const day = lastDay(days, now);
  const figures = await readDay({ ...services, merchant, clock: { now: () => now } }, day);
  await withMerchant(services.db, merchantId, async ({ db }) => {
    const marked = await db
      .update(memberships)
      .set({ summarizedUntil: day })
      .from(users)
      .where(
        and(
          eq(memberships.merchantId, merchantId),
          eq(users.id, memberships.userId),
          ne(memberships.role, 'cashier').inlineParams(),
          isNotNull(memberships.summaryLanguage),
          lt(memberships.summarizedUntil, day),
        ),
      )
      .returning({ recipient: users.email, language: memberships.summaryLanguage });
    const url = `${services.publicOrigin}/reports?report=sales&period=custom&from=${day}&until=${day}`;
    const { name: merchantName, currency } = merchant;
    const content = { kind: 'dailySummary', merchantName, currency, day, figures, url } as const;
    await Promise.all(
      marked.map(({ recipient, language }) =>
        queueMail(db, services, { recipient, letter: { ...content, ...languageOf(language ?? 'en', merchant) } }),
      ),
    );
  });
}

const languageOf = (language: Language, { country }: Merchant) => ({ language, locale: `${language}-${country}` });

async function readDay(ctx: Services & { merchant: Merchant }, day: string): Promise<DaySummary> {
  const period = { from: day, to: day };
  const [{ total }, { total: held }] = await Promise.all([salesReport(ctx, period), liabilityReport(ctx, period)]);
  const { sales, saleCount, topUps, redemptions, discount, pointsRedeemed } = total;
  const outstanding = held.principal.closing + held.bonus.closing;
  return { sales, saleCount, topUps, redemptions, discount, pointsRedeemed, outstanding };
}
