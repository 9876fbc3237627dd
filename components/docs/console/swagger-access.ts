/**
 * Fixes accessibility: a table with role "region" loses its rows for a screen reader, and a scrollable box must be
 * focusable.
 */
function fixAccess(root: HTMLElement): void {
  for (const table of root.querySelectorAll('table[role="region"]')) table.removeAttribute('role');
  for (const box of root.querySelectorAll<HTMLElement>('pre.microlight:not([tabindex])')) box.tabIndex = 0;
}

/** Fixes what Swagger UI renders, now and on every change. Returns a function that stops it. */
export function watchAccess(root: HTMLElement): () => void {
  const observer = new MutationObserver(() => fixAccess(root));
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}
