/** The style of the popups of menus and pickers. */
export const menuLook =
  'max-h-(--available-height) min-w-56 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-xl border border-line bg-surface p-1.5 text-ink shadow-xl outline-none';
export const menuItemLook =
  'flex min-h-9 w-full cursor-default items-center gap-3 rounded-lg px-3 text-sm outline-none select-none ' +
  'data-highlighted:bg-tint data-disabled:opacity-60';
