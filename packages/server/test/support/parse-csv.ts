/** Parses CSV (RFC 4180) into rows of cells. A line ends with LF, CRLF or the end of the text. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  let row: string[] = [];
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) throw new SyntaxError('the text is not CSV');
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Parses CSV whose first line contains column names. */
export function parseCsvTable(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, position) => [name, row[position] ?? ''])));
}
