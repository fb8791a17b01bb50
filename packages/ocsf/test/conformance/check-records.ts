import { ConformanceChecker, createFindingScanner, ExtractBuilder, ExtractReader } from '../../src/index.ts';

/** What a checker found in a record, and whether the record was read from an extract or parsed in full. */
export interface CheckedRecord {
  /** The missing attributes in order. */
  readonly pointers: readonly string[];
  readonly details: readonly string[];
  readonly isExtracted: boolean;
}

const scanner = createFindingScanner();

/** Checks records, which are given as JSON, as a worker does: from an extract if it has the record. */
export function checkRecords(records: readonly string[]): readonly CheckedRecord[] {
  const parts = records.map((record) => Buffer.from(`${record},`));
  let end = 0;
  const places = parts.map(({ length }) => {
    end += length;
    return { start: end - length, end: end - 1 };
  });
  const builder = new ExtractBuilder(scanner);
  builder.add(Buffer.concat(parts), places);
  const extract = builder.encode();
  if (extract === undefined) throw new Error('there is no extract');
  const reader = new ExtractReader(scanner.layout, extract);
  const checker = new ConformanceChecker();
  return records.map((text) => {
    const fields = reader.next();
    const missing =
      fields === undefined
        ? checker.check(JSON.parse(text), undefined)
        : checker.check(fields, reader.missing);
    const sorted = missing.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));
    return {
      pointers: sorted.map(({ pointer }) => pointer),
      details: sorted.map(({ detail }) => detail),
      isExtracted: fields !== undefined,
    };
  });
}
