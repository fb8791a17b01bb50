import { SEVERITIES, severityId } from '@sluice/ocsf';

/**
 * The severity of a stored finding as returned by the API: its name, or the number if this version does not know it.
 * The column has no constraint, and a single unknown number must not make a whole list unavailable.
 */
export function storedSeverity(severity: number): string {
  return SEVERITIES.find((name) => severityId(name) === severity) ?? String(severity);
}
