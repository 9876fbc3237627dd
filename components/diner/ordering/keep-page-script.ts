/**
 * Lets the service worker keep the page for a reload without a network, once the page is usable and has loaded. Its
 * text is inlined, so it must be self-contained.
 */
function keepPage(): void {
  const keep = async () => {
    try {
      await navigator.serviceWorker.register('/q/worker.js');
      const { active } = await navigator.serviceWorker.ready;
      const files = document.querySelectorAll<HTMLElement>('script[src], link[rel=stylesheet]');
      const urls = [...files].map((file) =>
        file instanceof HTMLScriptElement ? file.src : (file as HTMLLinkElement).href,
      );
      active?.postMessage([location.href.split('#')[0], ...urls]);
    } catch {
      // Some browsers, or their private windows, allow no service worker.
    }
  };
  addEventListener('usable', () => {
    if (document.readyState === 'complete') keep();
    else addEventListener('load', keep);
  });
}

export const keepPageScript = `(${keepPage})();`;
