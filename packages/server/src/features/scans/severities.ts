import type { Severity } from '@sluice/ocsf';

/** The names of severities in the API and in columns, in the order of OCSF's `severity_id`. */
export const SEVERITIES = [
  'unknown',
  'informational',
  'low',
  'medium',
  'high',
  'critical',
  'fatal',
  'other',
] as const;

export type SeverityName = (typeof SEVERITIES)[number];

const OTHER_ID = 99;

export function severityName(severity: Severity): SeverityName {
  const name = SEVERITIES[severity === OTHER_ID ? SEVERITIES.length - 1 : severity];
  if (name === undefined) throw new TypeError(`there is no severity ${severity}`);
  return name;
}
