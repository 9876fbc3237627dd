import { sql } from 'drizzle-orm';
import type { Queries } from '@/db/query/queries';
import { mails } from '@/db/schema';
import type { Language, Services, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import { jobPayload } from '../kernel/job-payload';
import { sealSecret } from '../kernel/secrets';

/** A day's figures, as in reports: amounts in minor units, and counts. */
export interface DaySummary {
  sales: number;
  saleCount: number;
  topUps: number;
  redemptions: number;
  discount: number;
  pointsRedeemed: number;
  outstanding: number;
}

/** A change of a person's second factors. Mails queued by an earlier release have only `change`. */
export type SecondFactorFacts =
  | { change: 'authenticatorAdded' | 'passkeyAdded' | 'codesRenewed' | 'codeUsed' }
  /**
   * `isLast`: two-step verification is now off. `demandedBy`: businesses that demand it, which now refuse the person.
   */
  | { change: 'authenticatorRemoved' | 'passkeyRemoved'; isLast?: boolean; demandedBy?: string[] }
  /** The owner who did it; null for the operator. */
  | { change: 'reset'; by?: string | null };

/**
 * A mail's content and language; the sender provides the text. All of it is stored encrypted, because `url` is secret.
 */
export type Letter = { language: Language; url: string } & (
  | { kind: 'passwordReset'; name: string }
  | { kind: 'passwordChanged'; name: string }
  | ({ kind: 'secondFactorChanged'; name: string } & SecondFactorFacts)
  /** `browser` is empty if unknown. `at` is an instant. */
  | { kind: 'newDevice'; name: string; browser: string; network: string; at: string }
  /** `storeNames` are the stores of an invitation to named stores. Mails of an earlier release have none. */
  | { kind: 'invitation'; merchantName: string; by: string; role: StaffRole; storeNames?: string[] }
  /** A file of customers that no second person checks. */
  | { kind: 'importUploaded'; name: string; merchantName: string; fileName: string }
  /** `host` is the endpoint's; for `reason` see `webhook_endpoints`. */
  | { kind: 'webhookDisabled'; name: string; merchantName: string; host: string; reason: 'failing' | 'gone' }
  /** `locale` formats the figures: the language as used in the merchant's country. */
  | { kind: 'dailySummary'; merchantName: string; locale: string; currency: string; day: string; figures: DaySummary }
);

/** The worker's job that sends a mail. */
export const sendMailTask = 'send-mail';
/**
 * With the queue's growing delays (2.7 s, 7.4 s, 20 s … 18 min), the last try comes after half an hour. Links expire
 * soon after.
 */
const maxAttempts = 8;
/** Before scheduled tasks (0), and after codes. */
export const mailPriority = -5;

/**
 * Queues a mail in one statement, so that it is sent if and only if it was stored. `db` may belong to a database
 * transaction. A sandbox without SMTP puts the mail into the inbox instead. Returns the mail's id.
 */
export async function queueMail(
  db: Queries,
  { mailer, messageKey, systemClock }: Services,
  { recipient, letter }: { recipient: string; letter: Letter },
): Promise<string> {
  const [id, now] = [newId(), systemClock.now()];
  const sealed = sealSecret(messageKey, id, JSON.stringify(letter));
  const payload = jobPayload({ mailId: id });
  const state = mailer === 'inbox' ? 'inbox' : 'queued';
  const row = db
    .insert(mails)
    .values({ id, recipient, letter: sealed, state, createdAt: now, updatedAt: now })
    .returning({ id: mails.id });
  if (state === 'inbox') await row;
  else {
    await db.run(sql`
      with mail as ${row}
      select graphile_worker.add_job(
        ${sendMailTask}, ${payload}::text::json, max_attempts => ${maxAttempts}, priority => ${mailPriority}) from mail`);
  }
  return id;
}
