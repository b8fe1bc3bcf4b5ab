// @ts-check
// Runs before anything is painted, so that a page which is set to dark does not flash white first.
try {
  const theme = localStorage.getItem('pocketllm-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the page follows the system.
}
