const counts = new Intl.NumberFormat();
const shortCounts = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const differences = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const amounts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Formats a count for the browser's locale, such as `1,234,567`. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Formats a signed difference: `+12`, `-3` or `0`. */
export function formatDifference(difference: number): string {
  return differences.format(difference);
}

/** Formats a count in compact form, such as `1.2M`. */
export function formatShortCount(count: number): string {
  return shortCounts.format(count);
}

/** Formats a share as a percentage: 0.42 becomes `42%`. */
export function formatShare(share: number): string {
  return shares.format(share);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size with binary units (IEC 80000-13), such as `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return `${amounts.format(bytes / 1024 ** power)} ${UNITS[power]}`;
}

/** Formats a count with its noun: `1 file`, `2 files`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
