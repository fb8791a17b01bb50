import { readNumber } from './fields.ts';
import { type Warn, warnOfValue } from './problems.ts';

/** OCSF `severity_id`: 0 Unknown, 1 Informational, 2 Low, 3 Medium, 4 High, 5 Critical, 6 Fatal, 99 Other. */
export type Severity = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 99;

/** Severity names in lower case, in the order of their ids. */
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

const idsByName: Readonly<Record<SeverityName, Severity>> = {
  unknown: 0,
  informational: 1,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
  fatal: 6,
  other: 99,
};

const severityIds: ReadonlyMap<string, Severity> = new Map(Object.entries(idsByName));
const severityNames: ReadonlyMap<number, SeverityName> = new Map(
  SEVERITIES.map((name) => [idsByName[name], name]),
);

/** Returns the OCSF `severity_id` for a severity name. */
export function severityId(name: SeverityName): Severity {
  return idsByName[name];
}

/** Returns the severity name for an id. Throws for unknown ids, such as an invalid number in a database column. */
export function severityName(severity: Severity): SeverityName {
  const name = severityNames.get(severity);
  if (name === undefined) throw new TypeError(`unknown severity ${severity}`);
  return name;
}

/**
 * Reads the severity of a record. Uses `severity_id` (a number or numeric string) if OCSF defines the id, otherwise the
 * name in `severity`, otherwise Unknown.
 */
export function readSeverity(id: unknown, name: unknown, warn: Warn): Severity {
  const number = readNumber(id);
  if (typeof number === 'number' && isSeverity(number)) return number;
  warnOfValue(warn, '/severity_id', id, 'a severity ID (0 to 6 or 99)');
  const known = typeof name === 'string' ? severityIds.get(name.trim().toLowerCase()) : undefined;
  if (known === undefined) warnOfValue(warn, '/severity', name, 'a severity name');
  return known ?? 0;
}

function isSeverity(id: number): id is Severity {
  return severityNames.has(id);
}
