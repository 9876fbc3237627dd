import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

interface KeptFocus<Container> {
  ref: RefObject<Container | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

const controlsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>('a, button') ?? [])];

/**
 * Keeps the keyboard's place in a list whose rows leave it as they are dealt with: when the row with the focus is gone, the
 * same control of the row that takes its place has it. Where no row is left the container has it, with `tabIndex={-1}`.
 * `rows` is their selector.
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
    // React tells of no blur where it takes the focused element away itself.
    onBlur: () => {
      held.current = null;
    },
  };
}
