// Keeps one version of the page, whole, and answers from it. A newer version is fetched beside it and waits until
// the page says so: files of two versions never meet.
const version = 'VERSION';
const files = ['FILES'];
const cacheName = 'squall-' + version;

self.addEventListener('install', event => {
  event.waitUntil(caches.open(cacheName).then(cache => cache.addAll(files.map(f => new Request(f, { cache: 'no-cache' })))));
});

self.addEventListener('activate', event => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('squall-') && name !== cacheName) await caches.delete(name);
    await self.clients.claim(); // the first visit can be the last one with a network
  })());
});

self.addEventListener('message', event => {
  if (event.data === 'take over') self.skipWaiting();
});

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const home = new URL('./', location.href).href;
  const at = url.origin + url.pathname;
  const name = at === home + 'index.html' ? home : at;
  if (!files.some(f => new URL(f, home).href === name)) return;
  event.respondWith(caches.open(cacheName).then(cache => cache.match(name)).then(kept => kept ?? fetch(event.request)));
});
