import type { Severity } from './check.ts';

/** In descending order, as in every table and list. */
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'informational',
] as const satisfies readonly Severity[];

/** Display names, which are also the OCSF names. */
export const SEVERITY_TITLES = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
} as const satisfies Record<Severity, string>;
