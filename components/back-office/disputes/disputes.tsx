import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { DisputesOfInput } from '@/server/domain/disputes';
import { Badge, type Tone } from '../../ui/badge';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { type Dispute, reasonOf } from './types';

const tones = {
  needs_response: 'danger',
  under_review: 'caution',
  won: 'good',
  lost: 'neutral',
} as const satisfies Record<Dispute['status'], Tone>;

/** The disputes about a customer's top-ups, of a transaction, or about a bill's payments. Renders nothing without any. */
export function Disputes({ of }: { of: DisputesOfInput }) {
  const t = useTranslations('disputes');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.disputes.of.queryOptions(of));
  if (!data?.length) return null;
  return (
    <Section title={t('title')}>
      <ul className="flex flex-col gap-5">
        {data.map((one) => (
          <DisputeFacts key={one.disputeId} one={one} of={of} />
        ))}
      </ul>
    </Section>
  );
}

function DisputeFacts({ one, of }: { one: Dispute; of: DisputesOfInput }) {
  const t = useTranslations('disputes');
  const { money } = useFormat();
  const { status, amount, blocked, spent } = one;
  const isOver = status === 'won' || status === 'lost';
  return (
    <li className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] font-medium">
        {money(amount)}
        <span className="font-normal">{t(`reasons.${reasonOf(one)}`)}</span>
        <Badge tone={tones[status]}>{t(`statuses.${status}`)}</Badge>
      </p>
      <p>
        <StateText one={one} />
      </p>
      {blocked > 0 ? <p>{t(isOver ? 'taken' : 'blocked', { amount: money(blocked) })}</p> : null}
      {spent > 0 ? (
        <p className="font-medium text-danger">{t(isOver ? 'spent' : 'spentOpen', { amount: money(spent) })}</p>
      ) : null}
      <Links one={one} of={of} />
    </li>
  );
}

function StateText({ one: { status, respondBy } }: { one: Dispute }) {
  const t = useTranslations('disputes');
  const { dateTime } = useFormat();
  if (status !== 'needs_response') return t(texts[status]);
  return respondBy === null ? t('respond') : t('respondBy', { time: dateTime(respondBy) });
}

const texts = { under_review: 'underReview', won: 'wonText', lost: 'lostText' } as const;

/** Links to the payment and to what was blocked, unless the reader is there. */
function Links({ one: { transactionUid, blockUid, billUid }, of }: { one: Dispute; of: DisputesOfInput }) {
  const t = useTranslations('disputes');
  const here = 'transactionUid' in of ? of.transactionUid : 'billUid' in of ? of.billUid : null;
  const links = [
    { uid: transactionUid, href: `/transactions/${transactionUid}`, text: t('seePayment') },
    { uid: blockUid, href: `/transactions/${blockUid}`, text: t('seeBlock') },
    { uid: billUid, href: `/bills/${billUid}`, text: t('seeBill') },
  ].filter(({ uid }) => uid !== null && uid !== here);
  if (links.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ href, text }) => (
        <Link key={href} href={href} className="rounded underline underline-offset-4">
          {text}
        </Link>
      ))}
    </p>
  );
}
