/**
 * Keeps the last opened table's page on the phone, so that a reload without a network still shows the menu and the cart.
 * With a network, the page always comes from the service: a closed code is never shown as open.
 */
const cacheName = 'table';
/** No QR code is valid for longer, unless the till requests it again. */
const dayMs = 24 * 60 * 60_000;

self.addEventListener('install', () => self.skipWaiting());
// Without it, the network would wait for this worker to start.
self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(openPage(event));
  else if (new URL(request.url).pathname.startsWith('/_next/static/')) event.respondWith(openFile(request));
});

// A page that is ready names its URL and its files.
self.addEventListener('message', (event) => event.waitUntil(keepOnly(event.data)));

async function openPage(event) {
  const { url } = event.request;
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    const copy = answer.clone();
    if (answer.status === 200) event.waitUntil(caches.open(cacheName).then((cache) => cache.put(url, copy)));
    else if (answer.status === 404 || answer.status === 410) event.waitUntil(caches.delete(cacheName));
    return answer;
  } catch (failure) {
    const kept = await caches.match(url, { cacheName });
    if (kept && Date.now() - Date.parse(kept.headers.get('date')) < dayMs) return kept;
    throw failure;
  }
}

/** A file's name changes with its content. */
const openFile = async (request) => (await caches.match(request, { cacheName })) ?? fetch(request);

/** Keeps these URLs and no others: not another table's page, nor an earlier build's files. */
async function keepOnly(urls) {
  const cache = await caches.open(cacheName);
  const missing = new Set(urls);
  for (const { url } of await cache.keys()) if (!missing.delete(url)) await cache.delete(url);
  for (const url of missing) {
    const answer = await fetch(url);
    if (answer.status === 200) await cache.put(url, answer);
  }
}
