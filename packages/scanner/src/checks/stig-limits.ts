import type { Thresholds } from './check.ts';

/** The limits that can be changed in the configuration. */
export type LimitName = Exclude<keyof Thresholds, 'approvedIssuers'>;

/** The maximum values that the STIG defines, and the checks that apply them. */
export const STIG_LIMITS = {
  maxSessionIdleMinutes: { check: 'signon_global_session_idle_timeout_15min', max: 15, unit: 'minutes' },
  maxSessionLifetimeMinutes: { check: 'signon_global_session_lifetime_18h', max: 1080, unit: 'minutes' },
  adminConsoleMaxIdleMinutes: {
    check: 'application_admin_console_session_idle_timeout_15min',
    max: 15,
    unit: 'minutes',
  },
  maxInactivityDays: { check: 'user_inactivity_automation_35d_enabled', max: 35, unit: 'days' },
} as const satisfies Record<
  LimitName,
  { readonly check: string; readonly max: number; readonly unit: 'minutes' | 'days' }
>;

export const LIMIT_NAMES = [
  'maxSessionIdleMinutes',
  'maxSessionLifetimeMinutes',
  'adminConsoleMaxIdleMinutes',
  'maxInactivityDays',
] as const satisfies readonly LimitName[];
