import { z } from 'zod';
import type { LimitName } from '../checks/stig-limits.ts';

/** The keys of the section `directory:`, without the prefix `directory_`. Limits are in minutes or days. */
export const configSchema = z.object({
  max_session_idle_minutes: wholeNumber(1, 1440).optional(),
  max_session_lifetime_minutes: wholeNumber(1, 43_200).optional(),
  admin_console_idle_timeout_max_minutes: wholeNumber(1, 1440).optional(),
  user_inactivity_max_days: wholeNumber(1, 3650).optional(),
  dod_approved_ca_issuer_patterns: stringList().optional(),
  dod_approved_ca_issuer_patterns_replace: z.boolean('must be true or false').optional(),
  requests_per_second: requestRate().optional(),
  max_retries: wholeNumber(0, 10).optional(),
  request_timeout: wholeNumber(0, 3600).optional(),
  excluded_checks: stringList().optional(),
  excluded_services: stringList().optional(),
});
export type ConfigKeys = z.output<typeof configSchema>;

/** The keys that have no prefix in the file. */
export const BARE_KEYS: readonly string[] = ['excluded_checks', 'excluded_services'];

/** The key of each limit that the STIG also defines. A higher value makes the scan less strict than the STIG. */
export const LIMIT_KEYS = {
  maxSessionIdleMinutes: 'max_session_idle_minutes',
  maxSessionLifetimeMinutes: 'max_session_lifetime_minutes',
  adminConsoleMaxIdleMinutes: 'admin_console_idle_timeout_max_minutes',
  maxInactivityDays: 'user_inactivity_max_days',
} as const satisfies Record<LimitName, keyof ConfigKeys>;

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.number(message).int(message).min(min, message).max(max, message);
}

function requestRate() {
  const message = 'must be 0 (no limit) or a number from 0.1 to 100';
  return z.number(message).refine((rate) => rate === 0 || (rate >= 0.1 && rate <= 100), message);
}

function stringList() {
  const each = 'must be a non-empty string; put it in quotes';
  return z
    .array(z.string(each).trim().min(1, each), 'must be a list')
    .refine((list) => new Set(list).size === list.length, 'contains duplicates');
}
