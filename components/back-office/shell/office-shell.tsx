'use client';

import { Dialog } from '@base-ui/react/dialog';
import { Menu as MenuIcon, X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Mark } from '@/components/site/mark';
import { iconButtonLook } from '@/components/ui/icon-button';
import { Link } from '../../ui/link';
import { CommandPalette, CommandPaletteButton } from '../command-palette/command-palette';
import { OpenSection } from '../office/managers-only';
import { useOffice } from '../office/office';
import { AccountMenu } from './account-menu';
import { SecondFactorBanner } from './second-factor-demand';
import { SectionNav } from './section-nav';

function MerchantName() {
  const t = useTranslations('shell');
  const { merchant, isSandbox } = useOffice();
  return (
    <Link href="/home" className="flex min-w-0 items-center gap-2.5 rounded-md px-3 font-semibold tracking-tight">
      <Mark className="size-7 shrink-0" />
      <span className="truncate">{merchant.name}</span>
      {isSandbox ? (
        <span className="rounded-full bg-caution-tint px-2 py-0.5 text-xs font-medium text-caution">
          {t('sandbox')}
        </span>
      ) : null}
    </Link>
  );
}

/** The sections on a phone: a drawer that closes when a link is followed. */
function NavDrawer() {
  const t = useTranslations('shell');
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className={iconButtonLook} aria-label={t('openMenu')}>
        <MenuIcon className="size-5" aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink/40 dark:bg-page/75" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-[min(19rem,calc(100vw-3rem))] flex-col gap-4 overflow-y-auto border-r border-line bg-page p-3 outline-none">
          <div className="flex items-center justify-between gap-2">
            <Dialog.Title className="min-w-0">
              <MerchantName />
            </Dialog.Title>
            <Dialog.Close className={iconButtonLook} aria-label={t('closeMenu')}>
              <X className="size-5" aria-hidden="true" />
            </Dialog.Close>
          </div>
          <SectionNav onFollow={() => setOpen(false)} />
          <div className="mt-auto border-t border-line pt-3">
            <AccountMenu />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The frame of every signed-in screen. */
export function OfficeShell({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col lg:flex-row print:block">
      <header className="sticky top-0 z-20 flex h-14 shrink-0 items-center justify-between gap-2 border-b border-line bg-page/95 px-2 backdrop-blur-md lg:hidden print:hidden">
        <div className="flex min-w-0 items-center">
          {/* The key closes it on every navigation. */}
          <NavDrawer key={usePathname()} />
          <MerchantName />
        </div>
        <CommandPaletteButton isIcon />
      </header>
      <header className="sticky top-0 hidden h-dvh w-64 shrink-0 flex-col border-r border-line px-3 pt-5 pb-3 lg:flex print:hidden">
        <MerchantName />
        <div className="mt-4 flex flex-col">
          <CommandPaletteButton />
        </div>
        <div className="mt-1 min-h-0 grow overflow-y-auto py-3">
          <SectionNav />
        </div>
        <div className="border-t border-line pt-3">
          <AccountMenu />
        </div>
      </header>
      <CommandPalette />
      <main id="content" className="min-w-0 flex-1 px-4 pt-6 pb-24 sm:px-8 lg:pt-10 print:p-0">
        <div className="mx-auto w-full max-w-6xl has-[[data-wide]]:max-w-none">
          <SecondFactorBanner />
          <OpenSection>{children}</OpenSection>
        </div>
      </main>
    </div>
  );
}
