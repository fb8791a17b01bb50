import type { JsonObject } from '../../src/field-reader/field-reader.ts';
import type { FieldReader } from '../../src/index.ts';

/** Returns a separate copy of the fields that the reader returns for each record. */
export function readAll(
  reader: FieldReader,
  bytes: Buffer,
  encoding: 'latin1' | 'utf8',
  records: readonly { readonly start: number; readonly end: number }[],
): readonly (JsonObject | undefined)[] {
  const values: (JsonObject | undefined)[] = [];
  while (values.length < records.length) {
    const count = reader.load(bytes, encoding, records, values.length);
    if (count === 0) values.push(undefined);
    for (let n = 0; n < count; n++) values.push(structuredClone(reader.record(n)));
  }
  return values;
}
