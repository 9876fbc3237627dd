import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button';
import type { Account, HistoryItem } from '@/server/domain/diners';
import { Link } from '../../ui/link';
import { fillText, formFor } from '../words';
import { HistoryList } from './history-list';
import { MessagesChoice } from './messages-choice';
import { NameForm } from './name-form';
import { Notice } from './notice';
import { ScreenTitle } from './screen-title';
import { SignOut } from './sign-out';
import type { Speech } from './speech';
import { VoucherList } from './voucher-list';

interface AccountHomeProps {
  merchantId: string;
  account: Account;
  history: { items: HistoryItem[]; nextCursor: string | null };
  speech: Speech;
}

/** A customer's balances, vouchers and activity with the merchant. */
export function AccountHome({ merchantId, account, history, speech }: AccountHomeProps) {
  const { words, language, day, money, count } = speech;
  const { customer, storedValue, points, vouchers } = account;
  const home = `/loyalty/${merchantId}`;
  return (
    <div className="space-y-10">
      <div className="space-y-5">
        <ScreenTitle>
          {customer.givenName ? fillText(words.hello, { name: customer.givenName }) : words.helloNameless}
        </ScreenTitle>
        {customer.givenName ? null : <NameForm />}
        <Notices account={account} home={home} speech={speech} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Holding
            title={words.storedValue}
            figure={money(storedValue.balance)}
            about={storedValue.bonus > 0 ? fillText(words.ofWhichBonus, { amount: money(storedValue.bonus) }) : null}
            expiring={[
              ...account.topUpsInProgress.map(({ amount, bonus, endsBy }) =>
                fillText(endsBy === null ? words.onItsWay : words.onItsWayUntil, {
                  amount: money(amount + bonus),
                  day: endsBy === null ? '' : day(endsBy),
                }),
              ),
              ...storedValue.expiring.map(({ amount, expiresAt }) =>
                fillText(words.amountExpires, { amount: money(amount), day: day(expiresAt) }),
              ),
            ]}
          >
            <ButtonLink href={`${home}/top-up`} prefetch={false} className="mt-4 w-full">
              {words.topUp}
            </ButtonLink>
          </Holding>
          <Holding
            title={words.points}
            figure={count(points.balance)}
            about={fillText(words.pointsWorth, { amount: money(points.worth) })}
            expiring={points.expiring.map((one) =>
              fillText(formFor(words.pointsExpire, one.points, language), {
                count: count(one.points),
                day: day(one.expiresAt),
              }),
            )}
          />
        </div>
      </div>
      <VoucherList vouchers={vouchers} itemNames={account.itemNames} speech={speech} />
      <HistoryList key={history.nextCursor} {...history} />
      <section aria-labelledby="settings" className="space-y-4">
        <h2 id="settings" className="text-xl font-semibold tracking-[-0.02em]">
          {words.settings}
        </h2>
        <Link
          href={`${home}/pin`}
          prefetch={false}
          className="flex min-h-12 items-center justify-between gap-4 rounded-xl border border-line bg-surface px-5 py-2 font-medium hover:border-edge"
        >
          {customer.hasPin ? words.changePin : words.setPin}
          <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden="true" />
        </Link>
        <MessagesChoice wantsMessages={account.wantsMessages} />
        <p className="text-sm text-muted">{fillText(words.signedInAs, { phone: customer.phone ?? '' })}</p>
        <SignOut />
      </section>
    </div>
  );
}

function Notices({ account, home, speech: { words } }: { account: Account; home: string; speech: Speech }) {
  const { isBlocked, pinRequired, customer } = account;
  return (
    <>
      {isBlocked ? <Notice title={words.blockedTitle}>{words.blockedText}</Notice> : null}
      {pinRequired && !customer.hasPin ? (
        <Notice title={words.noPinTitle}>
          {words.noPinText}{' '}
          <Link
            href={`${home}/pin`}
            prefetch={false}
            className="font-medium whitespace-nowrap underline underline-offset-4"
          >
            {words.setPin}
          </Link>
        </Notice>
      ) : null}
    </>
  );
}

interface HoldingProps {
  title: string;
  figure: string;
  about: string | null;
  /** When parts of it expire, soonest first. */
  expiring: string[];
  children?: ReactNode;
}

function Holding({ title, figure, about, expiring, children }: HoldingProps) {
  return (
    <section className="flex flex-col rounded-2xl border border-line bg-surface p-5">
      <h2 className="text-sm font-medium text-muted">{title}</h2>
      <p className="mt-1 text-3xl font-semibold tracking-[-0.02em] tabular-nums wrap-anywhere">{figure}</p>
      {about ? <p className="mt-1 text-[0.9375rem]">{about}</p> : null}
      {expiring.length > 0 ? (
        <ul className="mt-2 text-sm text-muted">
          {expiring.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {children ? <div className="mt-auto">{children}</div> : null}
    </section>
  );
}
