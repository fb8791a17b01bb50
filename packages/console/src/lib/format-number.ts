const counts = new Intl.NumberFormat();
const shortCounts = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const differences = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const amounts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** `1,234,567` in the reader's own way. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `+12`, `-3`, or `0`. */
export function formatDifference(difference: number): string {
  return differences.format(difference);
}

/** `1.2M`, where there is little room. */
export function formatShortCount(count: number): string {
  return shortCounts.format(count);
}

/** `42%` of 0.42. */
export function formatShare(share: number): string {
  return shares.format(share);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `1.5 MiB` (IEC 80000-13). */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return `${amounts.format(bytes / 1024 ** power)} ${UNITS[power]}`;
}

/** `1 file`, `2 files`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
