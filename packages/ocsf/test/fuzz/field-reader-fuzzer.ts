import { isAscii, isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { isFirstOf } from '../../src/field-reader/field-reader.ts';
import { FieldReader, type FieldTree } from '../../src/index.ts';
import { modelSplit } from './file-model.ts';
import type { Fuzzer } from './fuzzer.ts';
import { nestedText, objectText, type Style, scalarText, space, valueText } from './json-text.ts';
import { mutate } from './mutations.ts';
import { parseBytes } from './parsed-array.ts';
import { below, seededRandom } from './random.ts';
import { readAll } from './read-all.ts';
import { hasEscapedKey, writtenKeys } from './written-keys.ts';

/** Field trees of every shape: fields, nested fields, and first elements of arrays. */
export const TREE = {
  id: true,
  name: true,
  'sixteen bytes ok': true,
  info: { id: true, name: true, deep: { id: true } },
  list: [{ id: true, group: { name: true } }],
} as const satisfies FieldTree;

const LIMITS = {
  maxRecordBytes: Number.POSITIVE_INFINITY,
  maxDepth: 1024,
  maxKeys: Number.POSITIVE_INFINITY,
};
const reader = new FieldReader(TREE);

/** Compares the fields that the reader returns for all records in random files with the results of `JSON.parse`. */
export const fieldReaderFuzzer: Fuzzer = {
  name: 'field-reader',
  generate: (seed) => {
    const random = seededRandom(seed);
    const valid = recordsFile(random);
    return random() < 0.4 ? { type: 'valid', bytes: valid } : mutate(random, valid);
  },
  disagreement: readDisagreement,
};

/** Describes how the reader and `JSON.parse` disagree on the records in a file. */
function readDisagreement(bytes: Buffer): string | undefined {
  // The reader is only used for text that is known to be UTF-8; other files are parsed record by record.
  if (!isUtf8(bytes)) return undefined;
  const { spans } = modelSplit(bytes, LIMITS);
  const found = readAll(reader, bytes, isAscii(bytes) ? 'latin1' : 'utf8', spans);
  if (found.length !== spans.length)
    return `the file has ${spans.length} records, the reader returned ${found.length}`;
  for (const [index, { start, end }] of spans.entries()) {
    const record = bytes.subarray(start, end);
    const value = found[index];
    const parsed = parseBytes(record);
    const expected = parsed === undefined ? undefined : project(TREE, parsed.value);
    const where = `record ${index}, ${JSON.stringify(record.toString())},`;
    if (value !== undefined && !isDeepStrictEqual(value, expected))
      return `${where} was read as ${JSON.stringify(value)}, JSON.parse returns ${JSON.stringify(expected)}`;
    if (value === undefined && expected !== undefined && isPlain(record))
      return `${where} was not read although it is valid`;
  }
  return undefined;
}

/**
 * Returns the requested fields of a value, or `undefined` if a field does not have the shape that the tree specifies.
 */
function project(fields: FieldTree, value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const own = new Map<string, unknown>(Object.entries(value));
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const found = own.get(key);
    if (field === true) {
      if (typeof found === 'object' && found !== null) return undefined;
      result[key] = found;
    } else if (isFirstOf(field)) {
      if (!Array.isArray(found ?? [])) return undefined;
      const first = project(field[0], Array.isArray(found) && found.length > 0 ? found[0] : {});
      if (first === undefined) return undefined;
      const list = [first];
      list.length = Math.max(1, Array.isArray(found) ? found.length : 0);
      result[key] = list;
    } else {
      const below = project(field, found ?? {});
      if (below === undefined) return undefined;
      result[key] = below;
    }
  }
  return result;
}

/** Whether all keys are unescaped and unique: the parsed value and the text have the same number of keys. */
function isPlain(record: Buffer): boolean {
  let keys = 0;
  JSON.parse(record.toString(), (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      keys += Object.keys(value).length;
    return value;
  });
  return !hasEscapedKey(record) && writtenKeys(record.toString('latin1')).length === keys;
}

/**
 * Generates a file of records that have most of the requested fields. Most records are valid, and many are identical to
 * the previous record.
 */
function recordsFile(random: () => number): Buffer {
  const style: Style = { compact: random() < 0.4, plainKeys: random() < 0.8 };
  const records = Array.from({ length: random() < 0.003 ? 300 : 1 + below(random, 5) }, () =>
    recordText(random, style),
  );
  return Buffer.from(`[${records.join(`,${space(random, style)}`)}]`);
}

function recordText(random: () => number, style: Style): string {
  const usually = (typical: string) => (random() < 0.03 ? valueText(random, 2, style) : typical);
  const object = (members: Readonly<Record<string, string>>) => {
    const entries = Object.entries(members).map(([key, value]) => ({ key, value }));
    const kept = entries.filter(() => random() < 0.9).sort(() => random() - 0.5);
    const twice = !style.plainKeys && random() < 0.05 ? kept.slice(0, 1) : [];
    return objectText(random, [...kept, ...twice], style);
  };
  const scalar = () => usually(scalarText(random));
  const other = () =>
    random() < 0.02 ? nestedText(random, 1 + below(random, 20)) : valueText(random, 3, style);
  const group = () => usually(object({ name: scalar(), other: other() }));
  const list = `[${object({ id: scalar(), group: group() })}${random() < 0.5 ? `,${other()}` : ''}]`;
  const info = object({
    id: scalar(),
    name: scalar(),
    other: other(),
    deep: usually(object({ id: scalar() })),
  });
  const members = { id: scalar(), name: scalar(), 'sixteen bytes ok': scalar(), info: usually(info) };
  return object({ ...members, list: usually(random() < 0.1 ? '[]' : list), other: other(), more: other() });
}
