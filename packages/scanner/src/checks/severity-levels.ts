import type { Severity } from './check.ts';

/** From the worst to the mildest: the order of every table and list. */
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'informational',
] as const satisfies readonly Severity[];

/** `High`: as OCSF spells it, and as people read it. */
export const SEVERITY_TITLES = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
} as const satisfies Record<Severity, string>;
