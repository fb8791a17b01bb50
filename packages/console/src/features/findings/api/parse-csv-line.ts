const CELL = /(?:^|,)(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/gy;

/** Parses a line of a CSV file (RFC 4180), without its line ending. */
export function parseCsvLine(line: string): readonly string[] {
  return Array.from(line.matchAll(CELL), ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
