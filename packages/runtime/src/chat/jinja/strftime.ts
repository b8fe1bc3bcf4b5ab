const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A date in local time by a C format, with English names; an unknown directive stays as it is. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (directive, dash: string, letter: string) => {
    const value = fields[letter]?.(date);
    if (value === undefined) return directive;
    return dash === '-' ? value.replace(/^0+(?=\d)/, '') : value;
  });
}

const padded = (value: number, width = 2): string => String(value).padStart(width, '0');
const hour12 = (date: Date): number => date.getHours() % 12 || 12;

const fields: Record<string, (date: Date) => string> = {
  '%': () => '%',
  Y: (date) => String(date.getFullYear()),
  y: (date) => padded(date.getFullYear() % 100),
  m: (date) => padded(date.getMonth() + 1),
  d: (date) => padded(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2, ' '),
  B: (date) => MONTHS[date.getMonth()]!,
  b: (date) => MONTHS[date.getMonth()]!.slice(0, 3),
  A: (date) => DAYS[date.getDay()]!,
  a: (date) => DAYS[date.getDay()]!.slice(0, 3),
  H: (date) => padded(date.getHours()),
  I: (date) => padded(hour12(date)),
  M: (date) => padded(date.getMinutes()),
  S: (date) => padded(date.getSeconds()),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  j: (date) => padded(dayOfYear(date), 3),
  F: (date) => strftime(date, '%Y-%m-%d'),
  T: (date) => strftime(date, '%H:%M:%S'),
  D: (date) => strftime(date, '%m/%d/%y'),
};

function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (day - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000;
}
