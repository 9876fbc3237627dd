'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import { useFormat } from '../state/format';
import { Photo } from './photo';

export type ItemAnswer = inferRouterOutputs<StaffRouter>['menu']['item'];

interface ItemRowProps {
  item: ItemAnswer;
  /** True if it is sold out at one or more stores. */
  isSoldOut: boolean;
  canEdit: boolean;
}

/** An item in its category's list. The whole row is a link to it. */
export function ItemRow({ item, isSoldOut, canEdit }: ItemRowProps) {
  const t = useTranslations('menu');
  const { money } = useFormat();
  return (
    <div className="relative flex min-w-0 grow items-center gap-3 rounded-lg py-3 pr-1 hover:bg-tint/50 sm:gap-4 sm:pr-3">
      <Photo photoId={item.photoId} size={160} className="size-12" />
      <div className="min-w-0 grow">
        <p className="font-medium wrap-anywhere">
          {canEdit ? (
            <Link
              href={`/menu/items/${item.itemId}`}
              className="rounded after:absolute after:inset-0 after:content-['']"
            >
              {item.name}
            </Link>
          ) : (
            item.name
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <span className="wrap-anywhere">{item.plu}</span>
          {isSoldOut ? <Badge tone="caution">{t('soldOut')}</Badge> : null}
          {item.allStores ? null : <Badge>{t('storesOnly', { count: item.storeIds.length })}</Badge>}
          {item.optionGroupIds.length > 0 ? (
            <Badge>{t('optionGroupCount', { count: item.optionGroupIds.length })}</Badge>
          ) : null}
        </p>
      </div>
      <p className="shrink-0 tabular-nums">{money(item.price)}</p>
    </div>
  );
}
