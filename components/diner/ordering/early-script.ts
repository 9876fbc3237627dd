/**
 * Runs in the document's head. On a slow phone, the page is visible seconds before its scripts run. Until then, this
 * remembers the diner's last tap or choice of language, and marks it and a typed search as busy. It also handles what
 * concerns the document, not React. Its text is inlined, so it must be self-contained.
 */
function beforeScripts(): void {
  type Control = HTMLButtonElement | HTMLSelectElement;
  let early: Control | null = null;
  const remember = ({ target, type }: Event) => {
    const control = (target as Element).closest<Control>(type === 'click' ? 'button' : 'select');
    if (!control) return;
    early?.removeAttribute('aria-busy');
    early = control;
    early.setAttribute('aria-busy', 'true');
  };
  // The search field itself reads what was typed.
  const type = ({ target }: Event) => (target as Element).closest('input')?.setAttribute('aria-busy', 'true');
  const replay = () => {
    removeEventListener('click', remember, true);
    removeEventListener('change', remember, true);
    removeEventListener('input', type, true);
    for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
    if (early instanceof HTMLSelectElement) early.dispatchEvent(new Event('change', { bubbles: true }));
    // React may have put another button in its place.
    else if (early) {
      const present = document.querySelector<HTMLElement>(`button[value="${CSS.escape(early.value)}"]`);
      (early.isConnected ? early : present)?.click();
    }
  };
  addEventListener('click', remember, true);
  addEventListener('change', remember, true);
  addEventListener('input', type, true);
  addEventListener('usable', replay, { once: true });

  // A photo that can't load leaves an empty place, and is loaded again once there is a network.
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLImageElement) || target.dataset.src) return;
      target.dataset.src = target.src;
      target.src = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    },
    true,
  );
  addEventListener('online', () => {
    for (const photo of document.querySelectorAll<HTMLImageElement>('img[data-src]')) {
      photo.src = photo.dataset.src ?? '';
      delete photo.dataset.src;
    }
  });

  // Next's router would fetch the page on Back. `sheet-history.ts` listens instead.
  addEventListener('popstate', (event) => {
    event.stopImmediatePropagation();
    dispatchEvent(new Event('history'));
  });
  // Leaves the entries of sheets that a reload has closed.
  if (history.state?.sheets) history.go(-history.state.sheets);
}

export const earlyScript = `(${beforeScripts})();`;
