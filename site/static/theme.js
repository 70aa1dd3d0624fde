// Runs before anything is painted, so that a dark page never flashes white.
(() => {
  let theme = 'system';
  try { theme = localStorage.getItem('squall.theme') || 'system'; } catch { /* storage may be blocked */ }
  document.documentElement.dataset.theme = theme;
})();
