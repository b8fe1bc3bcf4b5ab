/** Keeps a text area as tall as its text, up to the height that its style allows. */
export function growWithText(area: HTMLTextAreaElement): void {
  const fit = () => {
    // Outside the page nothing has a height.
    if (!area.isConnected) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  };
  area.addEventListener('input', fit);
  fit();
}
