import type { OpenTable } from '@/server/domain/qr-ordering';
import { type DinerLanguage, fillText, type TableWords } from '../words';
import { LanguageChoice } from './language-choice';
import { useSpeech } from './table-context';
import { TablePlate } from './table-plate';
import type { Member } from './use-member';

/** `Mei · 340 points · $12.00` */
function memberText({ customer, points, storedValue }: Member, words: TableWords, money: (amount: number) => string) {
  const held = [
    ...(points.balance > 0 ? [fillText(words.pointsHeld, { count: points.balance })] : []),
    ...(storedValue.balance > 0 ? [money(storedValue.balance)] : []),
  ];
  return [customer.givenName, ...(held.length > 0 ? held : [words.account])].filter(Boolean).join(' · ');
}

interface TableHeaderProps {
  table: Pick<OpenTable, 'merchantId' | 'merchant' | 'store' | 'table'>;
  language: DinerLanguage;
  isOffline: boolean;
  /** The signed-in customer. */
  member: Member | null;
}

/** The store and table, the language switcher, and a link to the diner's account. */
export function TableHeader({
  table: { merchantId, merchant, store, table },
  language,
  isOffline,
  member,
}: TableHeaderProps) {
  const { words, money } = useSpeech();
  return (
    <header className="relative isolate overflow-hidden">
      <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
      <div className="mx-auto max-w-6xl px-5 pt-3 pb-5 sm:px-8 sm:pt-5 sm:pb-8">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <a href={`/loyalty/${merchantId}`} className="header-control text-accent">
            {member ? memberText(member, words, money) : words.account}
          </a>
          <LanguageChoice language={language} isOffline={isOffline} />
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-4 sm:mt-6">
          {merchant.logoId === null ? null : (
            // biome-ignore lint/performance/noImgElement: it is small already, and next/image is no part of this page
            <img src={`/photos/${merchant.logoId}/160`} alt="" className="size-14 rounded-xl sm:size-20" />
          )}
          <div className="max-w-full flex-[1_1_9rem]">
            {store.name.includes(merchant.name) ? null : (
              <p className="mb-1.5 text-sm font-medium text-accent wrap-break-word">{merchant.name}</p>
            )}
            <h1 className="text-[min(1.75rem,13vw)]/[1.1] font-semibold text-wrap tracking-[-0.03em] wrap-break-word sm:text-5xl/[1.05]">
              {store.name}
            </h1>
            {merchant.welcome ? (
              <p className="mt-2 max-w-md text-pretty font-medium wrap-break-word sm:text-lg">{merchant.welcome}</p>
            ) : null}
            <p className="mt-2 max-w-md text-pretty text-[0.9375rem]/6 text-muted noscript:hidden sm:text-lg [@media(max-height:40rem)]:hidden">
              {words.howToOrder}
            </p>
            <p className="mt-2 hidden max-w-md text-pretty text-muted noscript:block sm:text-lg">
              {words.withoutScript}
            </p>
          </div>
          {table === null ? null : <TablePlate label={words.table} table={table} />}
        </div>
      </div>
    </header>
  );
}
