/** Parses CSV as in RFC 4180, but with the delimiter `;`. Returns one object per row, with the headers as keys. */
export function readCsv(text: string): Record<string, string>[] {
  const [headers = [], ...rows] = readRows(text);
  return rows.map((row) => {
    if (row.length !== headers.length) throw new Error(`A row has ${row.length} cells: ${row.join(';')}`);
    return Object.fromEntries(headers.map((header, at) => [header, row[at] ?? '']));
  });
}

const CELL = /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n|\n|\r|$)/y;

function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length) {
    const start = CELL.lastIndex;
    const cell = CELL.exec(text);
    if (cell === null) throw new Error(`No cell at ${start}: ${text.slice(start, start + 40)}`);
    row.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
    if (cell[3] === ';') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
