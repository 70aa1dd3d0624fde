// Keeps the page for times without a network, and offers a newer version when one has arrived. It is
// never changed under a running page: a person says when.
(() => {
  if (!('serviceWorker' in navigator) || !location.protocol.startsWith('http') || window !== top) return;
  let asked = false;
  const offer = (text, act) => {
    const box = document.getElementById('update');
    box.querySelector('span').textContent = text;
    box.querySelector('button').onclick = act;
    box.hidden = false;
  };
  const reload = () => location.reload();
  const ready = worker => offer('A new version of Squall is ready.', () => {
    asked = true;
    worker.postMessage('take over');
  });

  const controlled = !!navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (asked) reload();
    else if (controlled) offer('Squall was brought up to date in another tab.', reload);
  });
  const watch = registration => {
    if (registration.waiting) ready(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const coming = registration.installing;
      coming.addEventListener('statechange', () => {
        if (coming.state === 'installed' && navigator.serviceWorker.controller) ready(coming);
      });
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') registration.update().catch(() => {}); // offline is no mistake
    });
  };
  addEventListener('load', () => navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' }).then(watch).catch(() => {}));
})();
