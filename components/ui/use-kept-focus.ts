import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

interface KeptFocus<Container> {
  ref: RefObject<Container | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

const controlsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>('a, button') ?? [])];

/**
 * Keeps the focus in a list whose rows disappear as they are handled. When the focused row disappears, the same control
 * of the next row gets the focus. After the last row, the container gets it, which needs `tabIndex={-1}`. `rows` is the
 * rows' selector.
 */
export function useKeptFocus<Container extends HTMLElement>(rows: string): KeptFocus<Container> {
  const ref = useRef<Container>(null);
  const held = useRef<{ row: Element; at: number; control: number } | null>(null);
  const rowsNow = () => [...(ref.current?.querySelectorAll(rows) ?? [])];
  useEffect(() => {
    if (!held.current) return;
    const { row, at, control } = held.current;
    const all = rowsNow();
    if (row.isConnected) {
      held.current.at = all.indexOf(row);
      return;
    }
    held.current = null;
    const controls = controlsOf(all[Math.min(at, all.length - 1)]);
    (controls[control] ?? controls[0] ?? ref.current)?.focus();
  });
  return {
    ref,
    onFocus: ({ target }) => {
      const row = target.closest(rows);
      held.current = row && {
        row,
        at: rowsNow().indexOf(row),
        control: controlsOf(row).indexOf(target as HTMLElement),
      };
    },
    // React fires no blur event when it removes the focused element itself.
    onBlur: () => {
      held.current = null;
    },
  };
}
