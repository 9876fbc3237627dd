'use client';

import { Menu } from '@base-ui/react/menu';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { keepLanguage } from '@/components/keep-language';
import { languages } from '@/components/messages/languages';
import { useLanguage } from '@/components/messages/use-language';
import { menuItemLook, menuLook } from '@/components/ui/menu';
import { signOut, switchMerchant } from '../../calls/leave-session';
import { Link } from '../../ui/link';
import { useOffice } from '../office/office';

const roleNames = { owner: 'roleOwner', manager: 'roleManager', cashier: 'roleCashier' } as const;

function Choice({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Menu.RadioItem value={value} className={menuItemLook} closeOnClick>
      <span className="grow truncate">{children}</span>
      <Menu.RadioItemIndicator>
        <Check className="size-4" aria-hidden="true" />
      </Menu.RadioItemIndicator>
    </Menu.RadioItem>
  );
}

function MerchantChoices({ onFailure }: { onFailure: () => void }) {
  const t = useTranslations('shell');
  const { merchant, memberships } = useOffice();
  async function choose(merchantId: string) {
    if (merchantId === merchant.id) return;
    // A full page load, so that no data of the other merchant stays in memory.
    if (await switchMerchant(merchantId)) window.location.assign('/home');
    else onFailure();
  }
  return (
    <Menu.RadioGroup value={merchant.id} onValueChange={choose}>
      <Menu.GroupLabel className="px-3 pt-1 pb-1 text-xs text-muted">{t('switchMerchant')}</Menu.GroupLabel>
      {memberships.map((one) => (
        <Choice key={one.merchantId} value={one.merchantId}>
          {one.merchantName}
        </Choice>
      ))}
      <Menu.Separator className="my-1.5 h-px bg-line" />
    </Menu.RadioGroup>
  );
}

/** Shows the signed-in person and merchant; switches the merchant or language, or signs out. */
export function AccountMenu() {
  const t = useTranslations('shell');
  const language = useLanguage();
  const { merchant, person, memberships } = useOffice();
  const [hasFailed, setFailed] = useState(false);
  async function handleSignOut() {
    // A full page load, so that no data of the session stays in memory.
    if (await signOut()) window.location.assign('/');
    else setFailed(true);
  }
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="flex w-full items-center gap-3 rounded-lg px-3 py-2 text-left text-sm transition-colors hover:bg-tint data-popup-open:bg-tint">
          <span className="min-w-0 grow">
            <span className="block truncate font-medium">{person.name}</span>
            <span className="block truncate text-muted">
              {t(roleNames[person.role])} · {person.storeNames.join(', ') || merchant.name}
            </span>
          </span>
          <ChevronsUpDown className="size-4 text-muted" aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={6} align="start" className="z-50">
            <Menu.Popup className={menuLook}>
              {memberships.length > 1 ? <MerchantChoices onFailure={() => setFailed(true)} /> : null}
              <Menu.RadioGroup value={language} onValueChange={(chosen) => keepLanguage('language', chosen)}>
                <Menu.GroupLabel className="px-3 pt-1 pb-1 text-xs text-muted">{t('language')}</Menu.GroupLabel>
                {Object.entries(languages).map(([language, name]) => (
                  <Choice key={language} value={language}>
                    <span lang={language}>{name}</span>
                  </Choice>
                ))}
              </Menu.RadioGroup>
              <Menu.Separator className="my-1.5 h-px bg-line" />
              <Menu.LinkItem render={<Link href="/account" />} closeOnClick className={menuItemLook}>
                {t('account')}
              </Menu.LinkItem>
              <Menu.LinkItem render={<Link href="/docs" />} closeOnClick className={menuItemLook}>
                {t('apiDocumentation')}
              </Menu.LinkItem>
              <Menu.Item className={menuItemLook} onClick={handleSignOut}>
                {t('signOut')}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <span role="alert" className="px-3 text-sm text-danger empty:hidden">
        {hasFailed ? t('stillSignedIn') : ''}
      </span>
    </>
  );
}
