import assert from 'node:assert/strict';

/** Parses CSV (RFC 4180) independently of the code under test. */
export function parseCsv(csv: string): string[][] {
  assert.ok(csv.endsWith('\r\n'));
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
