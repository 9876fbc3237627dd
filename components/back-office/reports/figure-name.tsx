'use client';

import { Popover } from '@base-ui/react/popover';
import { useTranslations } from 'next-intl';
import type { Messages } from '@/components/messages/languages';

/** The figures. Each has one name and one definition everywhere. */
export type FigureKey = keyof Messages['figures'];

/** A figure's name. Pointing at it, tapping it or pressing it by keyboard shows its definition. */
export function FigureName({ figure }: { figure: FigureKey }) {
  const t = useTranslations('figures');
  const name = t(`${figure}.name`);
  return (
    <Popover.Root>
      <Popover.Trigger
        openOnHover
        className="cursor-help text-start underline decoration-line decoration-dotted decoration-2 underline-offset-4 hover:decoration-current"
      >
        {name}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={12} className="z-50">
          <Popover.Popup className="max-w-72 rounded-xl border border-line bg-surface p-3 text-sm text-ink shadow-xl outline-none">
            <Popover.Title className="font-medium">{name}</Popover.Title>
            <Popover.Description className="mt-1 leading-relaxed text-muted">
              {t(`${figure}.definition`)}
            </Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
