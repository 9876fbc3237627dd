/** A table that calls itself a region loses its rows for a screen reader; a box that scrolls must take the keyboard. */
function mend(root: HTMLElement): void {
  for (const table of root.querySelectorAll('table[role="region"]')) table.removeAttribute('role');
  for (const box of root.querySelectorAll<HTMLElement>('pre.microlight:not([tabindex])')) box.tabIndex = 0;
}

/** Mends what Swagger UI draws, now and whenever it draws; answers how to stop. */
export function mendAccess(root: HTMLElement): () => void {
  const observer = new MutationObserver(() => mend(root));
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}
