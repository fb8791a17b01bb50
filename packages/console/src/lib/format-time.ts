const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayInUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

/** Formats a date and time in the local time zone. */
export function formatTime(time: string): string {
  return full.format(new Date(time));
}

/** Formats a date in UTC, which is also the time zone of the API's date filters. */
export function formatUtcDay(time: string | number): string {
  return dayInUtc.format(new Date(time));
}

/**
 * Formats a relative time such as `5 minutes ago`. Times at least a week in the past or future are formatted as dates.
 */
export function formatAge(time: string, now: number): string {
  let amount = (Date.parse(time) - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return day.format(new Date(time));
}

/** Formats the time between two timestamps, such as `1 min 5 s`. */
export function formatDuration(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 1) return `${Math.max(Math.round(seconds * 1000), 0)} ms`;
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
