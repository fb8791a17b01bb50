import {
  ExtractBuilder,
  ExtractReader,
  type FieldScanner,
  isExtractOf,
  type RecordPlace,
} from '../../src/index.ts';

type Values = Readonly<Record<string, unknown>>;

/** A record as it was read from an extract. */
export interface ReadRecord {
  readonly fields: Values;
  readonly texts: Values;
}

/** Extracts records and reads them. Returns a separate copy of each record; `undefined` for unread records. */
export function readAll(
  scanner: FieldScanner,
  bytes: Buffer,
  records: readonly RecordPlace[],
): readonly (ReadRecord | undefined)[] {
  const builder = new ExtractBuilder(scanner);
  builder.add(bytes, records);
  const extract = builder.encode();
  if (extract === undefined || !isExtractOf(scanner.layout, extract)) throw new Error('there is no extract');
  const reader = new ExtractReader(scanner.layout, extract);
  return records.map(() => {
    const fields = reader.next();
    return fields && structuredClone({ fields, texts: reader.texts(reader.textNumber) });
  });
}
