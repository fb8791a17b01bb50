import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { isListOf } from '../../src/extract/field-layout.ts';
import { FieldScanner, type FieldTree } from '../../src/index.ts';
import { modelSplit } from './file-model.ts';
import type { Fuzzer } from './fuzzer.ts';
import { nestedText, objectText, type Style, scalarText, space, valueText } from './json-text.ts';
import { mutate } from './mutations.ts';
import { parseBytes } from './parsed-array.ts';
import { below, seededRandom } from './random.ts';
import { type ReadRecord, readAll } from './read-all.ts';
import { hasEscapedKey, writtenKeys } from './written-keys.ts';

/** Field trees of every shape: fields, texts, nested fields, and elements of an array. */
export const TREE = {
  id: true,
  name: true,
  'sixteen bytes ok': true,
  text: 'text',
  info: { id: true, name: true, text: 'text', deep: { id: true } },
  list: [{ id: true, group: { name: true } }],
} as const satisfies FieldTree;

const LIMITS = {
  maxRecordBytes: Number.POSITIVE_INFINITY,
  maxDepth: 1024,
  maxKeys: Number.POSITIVE_INFINITY,
};
/** The tracked attributes must not change which records are read, or what is read from them. */
const scanner = new FieldScanner(TREE, {
  record: 'record',
  types: {
    record: {
      id: { required: true },
      info: { required: true, object: 'info' },
      list: { object: 'element', isArray: true },
      more: { object: 'info', isArray: true },
      other: { object: 'record' },
    },
    info: { name: { required: true }, uid: { required: true }, deep: { object: 'element' } },
    element: { id: { required: true }, group: { object: 'info' }, other: { object: 'element' } },
  },
});

/** Compares the extracted fields of all records in random files with the results of `JSON.parse`. */
export const extractFuzzer: Fuzzer = {
  name: 'extract',
  generate: (seed) => {
    const random = seededRandom(seed);
    const valid = recordsFile(random);
    return random() < 0.4 ? { type: 'valid', bytes: valid } : mutate(random, valid);
  },
  disagreement: readDisagreement,
};

/** Describes how the extract and `JSON.parse` disagree on the records in a file. */
function readDisagreement(bytes: Buffer): string | undefined {
  const { spans } = modelSplit(bytes, LIMITS);
  const found = readAll(scanner, bytes, spans);
  for (const [index, { start, end }] of spans.entries()) {
    const record = bytes.subarray(start, end);
    const value = found[index];
    const parsed = parseBytes(record);
    const where = `record ${index}, ${JSON.stringify(record.toString())},`;
    if (value === undefined) {
      if (parsed !== undefined && hasShape(TREE, parsed.value) && isPlain(record))
        return `${where} was not read although it is valid`;
      continue;
    }
    if (!isUtf8(record)) return `${where} was read although it is not UTF-8`;
    const expected = parsed && project(parsed.value);
    if (!isDeepStrictEqual(value, expected) && !hasEscapedKey(record))
      return `${where} was read as ${JSON.stringify(value)}, JSON.parse returns ${JSON.stringify(expected)}`;
  }
  return undefined;
}

/** Whether requested objects and lists are objects and lists, or absent. */
function hasShape(tree: FieldTree, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const own = new Map<string, unknown>(Object.entries(value));
  return Object.entries(tree).every(([key, field]) => {
    const found = own.get(key) ?? undefined;
    if (field === true || field === 'text' || found === undefined) return true;
    if (!isListOf(field)) return hasShape(field, found);
    return Array.isArray(found) && found.every((element) => hasShape(field[0], element));
  });
}

/** Returns the requested fields and texts of a value. */
function project(value: unknown): ReadRecord {
  return { fields: projectType(TREE, value, true), texts: projectType(TREE, value, 'text') };
}

function projectType(tree: FieldTree, value: unknown, type: true | 'text'): Record<string, unknown> {
  const own = new Map<string, unknown>(Object.entries(value ?? {}));
  return Object.fromEntries(
    Object.entries(tree).map(([key, field]) => {
      const found = own.get(key);
      if (field === true || field === 'text') return [key, field === type ? found : undefined];
      if (!isListOf(field)) return [key, projectType(field, found, type)];
      const elements = type === true && Array.isArray(found) ? found : [];
      return [key, elements.map((element) => projectType(field[0], element, type))];
    }),
  );
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
  const element = () => usually(object({ id: scalar(), group: group(), other: other() }));
  const list = `[${Array.from({ length: 1 + below(random, 4) }, element).join(',')}]`;
  const text = () => (random() < 0.7 ? '"a text that many records share"' : valueText(random, 2, style));
  const info = object({
    id: scalar(),
    name: scalar(),
    text: text(),
    other: other(),
    deep: usually(object({ id: scalar() })),
  });
  const members = {
    id: scalar(),
    name: scalar(),
    text: text(),
    'sixteen bytes ok': scalar(),
    info: usually(info),
  };
  return object({ ...members, list: usually(random() < 0.1 ? '[]' : list), other: other(), more: other() });
}
