const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 4601856 as `4.4 MiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log2(bytes) / 10), 0), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`;
}

/** 4200000 as `4.2 million`. */
export function countText(count: number): string {
  if (count < 1e4) return String(count);
  if (count < 1e6) return `${(count / 1e3).toFixed(0)} thousand`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} million` : `${(count / 1e9).toFixed(2)} billion`;
}

/** Milliseconds as `1.3 s`. */
export const secondsText = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** How many a second; `-` where no time has passed. */
export function rateText(count: number, milliseconds: number): string {
  return milliseconds > 0 ? `${((count / milliseconds) * 1000).toPrecision(3)}/s` : '-';
}
