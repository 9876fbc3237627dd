import {
  ArrowRight,
  CircleCheck,
  Clock,
  CreditCard,
  HandCoins,
  Hourglass,
  type LucideIcon,
  MessageSquareWarning,
  PackageX,
  Receipt,
  ShieldAlert,
  Undo2,
  Webhook,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Attention as Needs } from '@/server/domain/reports';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { allStores } from '../lists/store-choice';
import { usePlace } from '../office/place';
import { useFormat } from '../state/format';
import { Loaded, type LoadedQuery } from '../state/loaded';
import { useToday } from '../state/use-merchant-clock';
import { DisputeItem } from './dispute-item';
import { OverpaidItem } from './overpaid-item';
import { RefundItem } from './refund-item';

/** Items that need attention, each with a link to its screen. */
export function Attention({ query }: { query: LoadedQuery<Needs> }) {
  const t = useTranslations('home');
  const words = useTranslations('reports');
  const { money } = useFormat();
  const place = usePlace();
  const today = useToday();
  return (
    <Section title={t('attention')}>
      <Loaded query={query} height="h-32">
        {({
          lateOrders,
          limitsReached,
          codeLimitsReached,
          ownCustomers,
          cardDifferences,
          cardsStopped,
          failedMessages,
          failingWebhooks,
          soldOutItems,
          expiringBonus,
          refundAlerts,
          disputes,
          refusedRefunds,
          overpaidBills,
          voidsStandOut,
          openBills,
        }) => {
          const isQuiet =
            lateOrders.count === 0 &&
            !limitsReached &&
            !codeLimitsReached &&
            !ownCustomers &&
            !cardDifferences &&
            !cardsStopped &&
            !failedMessages &&
            !failingWebhooks &&
            soldOutItems === 0 &&
            !expiringBonus?.amount &&
            !refundAlerts?.length &&
            !disputes?.length &&
            !refusedRefunds?.length &&
            !overpaidBills?.length &&
            !voidsStandOut?.length;
          if (isQuiet) {
            return (
              <>
                <p className="flex items-center gap-3 text-muted">
                  <CircleCheck className="size-5 shrink-0 text-accent" aria-hidden="true" />
                  {t('allQuiet')}
                </p>
                <OpenBills {...openBills} />
              </>
            );
          }
          return (
            <>
              <ul className="flex flex-col gap-1">
                {disputes?.map((one) => (
                  <DisputeItem key={one.disputeId} dispute={one} />
                ))}
                {refundAlerts?.map((alert) => (
                  <RefundItem key={alert.topUpRequestId} alert={alert} />
                ))}
                {refusedRefunds?.map(({ billUid, amount, ...bill }) => (
                  <Item key={billUid} icon={HandCoins} href={`/bills/${billUid}`} isUrgent>
                    {t('refundRefused', { amount: money(amount), place: place(bill) })}
                  </Item>
                ))}
                {overpaidBills?.map((bill) => (
                  <OverpaidItem key={bill.billUid} bill={bill} />
                ))}
                {voidsStandOut?.map(({ kind, id, name, count, amount }) => (
                  <Item key={`${kind} ${id}`} icon={Undo2} href="/reports?report=voids&period=week">
                    {t('voidsStandOut', {
                      name: kind === 'diner' || kind === 'refund' ? words(`voids.${kind}`) : (name ?? ''),
                      count,
                      amount: money(amount),
                    })}
                  </Item>
                ))}
                {lateOrders.count > 0 ? (
                  <Item icon={Clock} href={`/orders?store=${lateOrders.storeId ?? allStores}`} isUrgent>
                    {t('lateOrders', { count: lateOrders.count })}
                  </Item>
                ) : null}
                {limitsReached ? (
                  <Item icon={ShieldAlert} href={`/audit-log?action=limit.exceeded&from=${today}`} isUrgent>
                    {t('limitsReached', { count: limitsReached })}
                  </Item>
                ) : null}
                {codeLimitsReached ? (
                  <Item icon={ShieldAlert} href={`/audit-log?action=codes.limitReached&from=${today}`} isUrgent>
                    {t('codesLimited', { count: codeLimitsReached })}
                  </Item>
                ) : null}
                {ownCustomers ? (
                  <Item icon={ShieldAlert} href={`/audit-log?action=staff.ownCustomers&from=${today}`} isUrgent>
                    {t('ownCustomers', { count: ownCustomers })}
                  </Item>
                ) : null}
                {cardsStopped ? (
                  <Item icon={CreditCard} href="/settings?section=cardPayments" isUrgent>
                    {t('cardsStopped')}
                  </Item>
                ) : null}
                {cardDifferences ? (
                  <Item icon={ShieldAlert} href="/audit-log?action=cardPayment.differs" isUrgent>
                    {t('cardDifferences', { count: cardDifferences })}
                  </Item>
                ) : null}
                {failedMessages ? (
                  <Item icon={MessageSquareWarning} href="/messages?state=failed" isUrgent>
                    {t('failedMessages', { count: failedMessages })}
                  </Item>
                ) : null}
                {failingWebhooks ? (
                  <Item icon={Webhook} href="/webhooks" isUrgent>
                    {t('webhooksFailing', { count: failingWebhooks })}
                  </Item>
                ) : null}
                {soldOutItems > 0 ? (
                  <Item icon={PackageX} href="/stock-outs">
                    {t('soldOut', { count: soldOutItems })}
                  </Item>
                ) : null}
                {expiringBonus?.amount ? (
                  <Item icon={Hourglass} href="/reports?report=liability">
                    {t('expiring', { amount: money(expiringBonus.amount), count: expiringBonus.customers })}
                  </Item>
                ) : null}
              </ul>
              <OpenBills {...openBills} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** The open bills and what is due on them: nothing to worry about, but what a shift works on. */
function OpenBills({ count, due }: Needs['openBills']) {
  const t = useTranslations('home');
  const { money } = useFormat();
  if (count === 0) return null;
  return (
    <ul className="mt-3 border-t border-line pt-2">
      <Item icon={Receipt} href={`/bills?store=${allStores}`}>
        {due === null ? t('openBills', { count }) : t('openBillsDue', { count, due: money(due) })}
      </Item>
    </ul>
  );
}

interface ItemProps {
  icon: LucideIcon;
  href: string;
  isUrgent?: boolean;
  children: string;
}

function Item({ icon: Icon, href, isUrgent = false, children }: ItemProps) {
  return (
    <li>
      <Link href={href} className="-mx-3 flex min-h-11 items-center gap-3 rounded-lg px-3 py-2 hover:bg-tint/60">
        <Icon
          className={isUrgent ? 'size-5 shrink-0 text-danger' : 'size-5 shrink-0 text-caution'}
          aria-hidden="true"
        />
        <span className="min-w-0 grow text-[0.9375rem]">{children}</span>
        <ArrowRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
      </Link>
    </li>
  );
}
