'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { CornerDownLeft, Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { leavePage } from '../../form/leave-guard';
import { iconButtonLook } from '../../ui/icon-button';
import { type Command, type CommandGroup, useCommands } from './use-commands';

const palette = Dialog.createHandle();

/** Opens any screen from the keyboard, by ⌘K or Ctrl K, or by its buttons. Render it once per page. */
export function CommandPalette() {
  const t = useTranslations('commandPalette');
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (palette.isOpen) palette.close();
      else palette.open(null);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <Dialog.Root handle={palette}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink/40 dark:bg-page/75" />
        <Dialog.Popup
          aria-label={t('title')}
          className="fixed top-[max(1rem,12dvh)] left-1/2 z-50 flex max-h-[min(32rem,76dvh)] w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-2xl border border-line bg-surface shadow-xl outline-none"
        >
          <Picker />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Picker() {
  const t = useTranslations('commandPalette');
  const router = useRouter();
  const [text, setText] = useState('');
  const { groups, isSearching } = useCommands(text);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const navigate = ({ href }: Command) => {
    palette.close();
    leavePage(() => router.push(href));
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={text}
      // Choosing an item navigates; it must not replace the typed text.
      onValueChange={(value, { reason }) => reason === 'item-press' || setText(value)}
      itemToStringValue={({ label }: Command) => label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4.5 shrink-0 text-muted" aria-hidden="true" />
        <Autocomplete.Input
          aria-label={t('search')}
          placeholder={t('search')}
          className="h-13 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
        />
        <Dialog.Close className="shrink-0 rounded-md border border-line px-1.5 py-0.5 text-xs text-muted hover:text-ink">
          <span aria-hidden="true">Esc</span>
          <span className="sr-only">{t('close')}</span>
        </Dialog.Close>
      </div>
      <Autocomplete.Status className="sr-only">
        {isSearching ? t('searching') : t('found', { count })}
      </Autocomplete.Status>
      {count === 0 ? (
        <p className="px-4 py-10 text-center text-sm text-muted">{isSearching ? t('searching') : t('nothing')}</p>
      ) : null}
      <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain p-2 data-empty:p-0">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.label} items={group.items} className="not-first:mt-2">
            <Autocomplete.GroupLabel className="px-3 py-1.5 text-xs font-medium text-muted">
              {group.label}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.href}
                  value={command}
                  onClick={() => navigate(command)}
                  className="group flex min-h-10 cursor-pointer items-center justify-between gap-4 rounded-lg px-3 py-2 text-sm outline-none select-none data-highlighted:bg-tint"
                >
                  <span className="min-w-0 font-medium wrap-anywhere">{command.label}</span>
                  <span className="flex shrink-0 items-center gap-2 text-muted">
                    {command.detail}
                    <CornerDownLeft
                      className="size-3.5 opacity-0 group-data-highlighted:opacity-100"
                      aria-hidden="true"
                    />
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** Opens the palette: a box at the top of the sidebar, or an icon on small screens. */
export function CommandPaletteButton({ isIcon = false }: { isIcon?: boolean }) {
  const t = useTranslations('commandPalette');
  if (isIcon) {
    return (
      <Dialog.Trigger handle={palette} aria-label={t('open')} className={iconButtonLook}>
        <Search className="size-5" aria-hidden="true" />
      </Dialog.Trigger>
    );
  }
  return (
    <Dialog.Trigger
      handle={palette}
      aria-label={t('open')}
      className="flex min-h-9 items-center gap-3 rounded-lg border border-line bg-surface px-3 text-sm text-muted transition-colors hover:border-edge hover:text-ink"
    >
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <span className="grow text-left">{t('open')}</span>
      <kbd className="font-sans text-xs">
        <ShortcutKeys />
      </kbd>
    </Dialog.Trigger>
  );
}

/** The shortcut for the person's platform, which only the browser knows. */
function ShortcutKeys() {
  const [keys, setKeys] = useState('');
  useEffect(() => setKeys(/Mac|iP(hone|ad|od)/.test(navigator.platform) ? '⌘K' : 'Ctrl K'), []);
  return keys;
}
