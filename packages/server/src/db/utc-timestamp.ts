/** SQL that formats a time as in the API: ISO 8601 with microseconds and `Z`. */
export function utcTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
