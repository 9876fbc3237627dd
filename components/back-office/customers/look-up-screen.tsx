'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronRight, UserPlus, UserSearch } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type FormEvent, useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/field';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { linkedTasks } from './customer-actions';
import { EnrolDialog } from './enrol-dialog';
import type { FoundCustomer } from './types';

/** Lets cashiers find the customer in front of them. They can't list others. */
export function LookUpScreen() {
  const t = useTranslations('customers');
  const [draft, setDraft] = useState('');
  // Kept out of the URL, because browsers store URLs.
  const [phoneOrEmail, setPhoneOrEmail] = useState('');
  const [isEnrolling, setEnrolling] = useState(false);
  const query = useQuery(
    useTRPC().customers.find.queryOptions({ phoneOrEmail }, { enabled: phoneOrEmail !== '', gcTime: 0 }),
  );
  const lookUp = (event: FormEvent) => {
    event.preventDefault();
    const text = draft.trim();
    if (text !== '' && text === phoneOrEmail) void query.refetch();
    setPhoneOrEmail(text);
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lookUpDescription')}
        actions={
          <Button size="small" variant="secondary" onClick={() => setEnrolling(true)}>
            <UserPlus className="size-4" aria-hidden="true" />
            {t('enrol')}
          </Button>
        }
      />
      <form onSubmit={lookUp} className="mb-6 flex max-w-xl flex-wrap items-start gap-3">
        <div className="min-w-0 grow basis-60">
          <Field
            label={t('lookUp')}
            hint={t('lookUpHint')}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <Button type="submit" className="max-sm:w-full sm:mt-6.5" busy={query.isFetching}>
          {t('lookUpAction')}
        </Button>
      </form>
      <div role="status">
        {phoneOrEmail === '' ? null : (
          <Loaded query={query} height="h-20 max-w-xl">
            {(found) =>
              found ? (
                <Found customer={found} />
              ) : (
                <EmptyState icon={UserSearch} title={t('noneFound')}>
                  {t('noneFoundText')}
                </EmptyState>
              )
            }
          </Loaded>
        )}
      </div>
      {isEnrolling ? <EnrolDialog onClose={() => setEnrolling(false)} /> : null}
    </>
  );
}

function Found({ customer: { customerId, name, phone, email, isBlocked } }: { customer: FoundCustomer }) {
  const t = useTranslations('customers');
  // The cashier came here to top up: the customer's page opens with the dialog.
  const [task] = useQueryState('task', parseAsStringLiteral(linkedTasks));
  return (
    <Link
      href={`/customers/${customerId}${task && !isBlocked ? `?task=${task}` : ''}`}
      className="flex max-w-xl items-center gap-4 rounded-2xl border border-edge/60 bg-surface px-5 py-4 hover:border-ink"
    >
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          {isBlocked ? <Badge tone="danger">{t('blocked')}</Badge> : null}
        </span>
        <span className="mt-0.5 block text-sm text-muted wrap-anywhere">
          {[phone, email].filter(Boolean).join(' · ')}
        </span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden="true" />
    </Link>
  );
}
