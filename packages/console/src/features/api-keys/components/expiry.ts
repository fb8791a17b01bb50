const DAY_MS = 86_400_000;

/** When a new key ends, as the form offers it. */
export const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'never', label: 'Never' },
  { value: 'date', label: 'On a date' },
] as const;
export type Expiry = (typeof EXPIRIES)[number]['value'];

/** When a key ends; `undefined`: never. A `date`, `2026-01-31`, counts to its end where the reader is. */
export function expiresAt(expiry: Expiry, date: string, now: number): Date | undefined {
  if (expiry === 'never') return undefined;
  if (expiry === 'date') return new Date(`${date}T23:59:59`);
  return new Date(now + Number(expiry) * DAY_MS);
}
