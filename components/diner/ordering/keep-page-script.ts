/**
 * Once the page is usable and has loaded, has the service worker keep it for a reload without a network. Its text is
 * inlined, so it uses nothing from outside.
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
