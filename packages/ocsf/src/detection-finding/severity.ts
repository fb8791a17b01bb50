/** OCSF `severity_id`: 0 Unknown, 1 Informational, 2 Low, 3 Medium, 4 High, 5 Critical, 6 Fatal, 99 Other. */
export type Severity = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 99;

const severityNames: ReadonlyMap<string, Severity> = new Map<string, Severity>([
  ['unknown', 0],
  ['informational', 1],
  ['low', 2],
  ['medium', 3],
  ['high', 4],
  ['critical', 5],
  ['fatal', 6],
  ['other', 99],
]);

const severityIds: ReadonlyMap<number, Severity> = new Map([...severityNames.values()].map((id) => [id, id]));

/** The severity of a record: its `severity_id` where OCSF knows it, else its `severity` by name, else Unknown. */
export function readSeverity(severityId: unknown, severity: unknown): Severity {
  const byId = typeof severityId === 'number' ? severityIds.get(severityId) : undefined;
  if (byId !== undefined) return byId;
  return (typeof severity === 'string' ? severityNames.get(severity.trim().toLowerCase()) : undefined) ?? 0;
}
