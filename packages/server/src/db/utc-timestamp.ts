/** SQL that formats a time as in the API: ISO 8601 with microseconds and `Z`. */
export function utcTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** SQL for the beginning of the hour or day of UTC that contains a time. Immutable, as Citus requires in updates. */
export function startOfPeriod(unit: 'hour' | 'day', time: string): string {
  return `(date_trunc('${unit}', ${time} at time zone 'UTC') at time zone 'UTC')`;
}

/** SQL expression for a timestamp in milliseconds since 1970. */
export const milliseconds = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;
