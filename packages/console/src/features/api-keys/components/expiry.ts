const DAY_MS = 86_400_000;

/** The expiration options of the form. */
export const EXPIRIES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'never', label: 'No expiration' },
  { value: 'date', label: 'Custom date' },
] as const;
export type Expiry = (typeof EXPIRIES)[number]['value'];

/**
 * Returns the expiration time, or `undefined` for none. A key with the expiration date `2026-01-31` expires at the end
 * of that day in local time.
 */
export function expiresAt(expiry: Expiry, date: string, now: number): Date | undefined {
  if (expiry === 'never') return undefined;
  if (expiry === 'date') return new Date(`${date}T23:59:59`);
  return new Date(now + Number(expiry) * DAY_MS);
}
