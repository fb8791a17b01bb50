import type { Severity } from './check.ts';

/** All severities in descending order, as in every table and list. */
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'informational',
] as const satisfies readonly Severity[];

/** The display names of severities, which are also their OCSF names. */
export const SEVERITY_TITLES = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
} as const satisfies Record<Severity, string>;
