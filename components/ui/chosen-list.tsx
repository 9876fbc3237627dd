import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

interface ChosenListProps {
  label: string;
  /** The keys of the chosen entries. */
  chosen: string[];
  /** The name of an entry, for the button that removes it. */
  nameOf: (key: string) => string;
  onRemove: (key: string) => void;
  children: (key: string) => ReactNode;
}

/** The entries chosen with a search picker. Each can be removed. */
export function ChosenList({ label, chosen, nameOf, onRemove, children }: ChosenListProps) {
  const t = useTranslations('common');
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className="mt-3 flex flex-wrap gap-2">
      {chosen.map((key) => (
        <li
          key={key}
          className="inline-flex items-center gap-2 rounded-full border border-line bg-tint py-0.5 pr-1 pl-3.5 text-sm"
        >
          {children(key)}
          <button
            type="button"
            aria-label={`${t('remove')} ${nameOf(key)}`}
            onClick={() => onRemove(key)}
            className="inline-flex size-8 items-center justify-center rounded-full text-muted hover:bg-surface hover:text-ink"
          >
            <X className="size-3.5" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
