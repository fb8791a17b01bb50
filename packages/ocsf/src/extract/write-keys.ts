import type { PlacedField, TrackedAttribute, TrackedAttributes, TrackedObject } from './field-layout.ts';

/** The exports of `assembly/scan-fields.ts` that describe the keys to read. */
export interface KeyMemory {
  readonly memory: WebAssembly.Memory;
  readonly keys: WebAssembly.Global;
  readonly KEYS_BYTES: WebAssembly.Global;
  readonly MAX_KEY: WebAssembly.Global;
  readonly MAX_KEYS: WebAssembly.Global;
  readonly ENTRIES: WebAssembly.Global;
  readonly ENTRY: WebAssembly.Global;
  readonly addKey: (object: number, number: number) => void;
}

const ENTRY_KEY = 16;
const TYPES = { none: 0, field: 1, text: 1, object: 2, list: 3 } as const;
/** The number of bits of the attributes that are reported. */
const MAX_TRACKED = 32;

/** A key of an object: a field, a tracked attribute, or both. */
interface Key {
  readonly key: string;
  readonly field: PlacedField | undefined;
  readonly attribute: TrackedAttribute | undefined;
}

/**
 * Writes the descriptions of the record and its nested objects into the module's memory.
 *
 * @throws RangeError if there are too many keys, a key is empty or too long, a field is a tracked object, or a type does
 *   not exist
 */
export function writeKeys(
  module: KeyMemory,
  placed: readonly PlacedField[],
  tracked: TrackedAttributes | undefined,
): void {
  const { memory, keys, KEYS_BYTES, MAX_KEY, MAX_KEYS, ENTRIES, ENTRY, addKey } = module;
  const bytes = Buffer.from(memory.buffer, keys.value, KEYS_BYTES.value);
  let end = 0;
  /** The offsets of the objects without fields, by type. */
  const known = new Map<string, number>();
  const writeObject = (fields: readonly PlacedField[], type: string | undefined): number => {
    const before = fields.length === 0 && type !== undefined ? known.get(type) : undefined;
    if (before !== undefined) return before;
    const object = end;
    if (fields.length === 0 && type !== undefined) known.set(type, object);
    const members = keysOf(fields, attributesOf(tracked, type));
    end += ENTRIES.value + members.length * ENTRY.value;
    if (members.length > MAX_KEYS.value || end > bytes.length)
      throw new RangeError('the field tree and the tracked attributes have too many keys');
    bytes.writeUInt32LE(reportedBits(members), object);
    for (const [number, { key, field, attribute }] of members.entries()) {
      const length = Buffer.byteLength(key);
      if (length === 0 || length > MAX_KEY.value)
        throw new RangeError(`the key '${key}' is empty or longer than ${MAX_KEY.value} bytes`);
      const nested = attribute?.object;
      if (nested !== undefined && (field?.type === 'field' || field?.type === 'text'))
        throw new RangeError(`the field '${key}' is a tracked object`);
      const entry = object + ENTRIES.value + number * ENTRY.value;
      const trackedType = nested === undefined ? 'none' : attribute?.isArray ? 'list' : 'object';
      bytes.set([length, TYPES[field?.type ?? 'none'], field?.slot ?? 0, number, TYPES[trackedType]], entry);
      bytes.write(key, entry + ENTRY_KEY);
      addKey(keys.value + object, number);
      if (nested !== undefined || field?.type === 'object' || field?.type === 'list')
        bytes.writeUInt32LE(writeObject(field?.below ?? [], nested), entry + 8);
    }
    return object;
  };
  writeObject(placed, tracked?.record);
}

function attributesOf(tracked: TrackedAttributes | undefined, type: string | undefined): TrackedObject {
  if (tracked === undefined || type === undefined) return {};
  const attributes = tracked.types[type];
  if (attributes === undefined) throw new RangeError(`the tracked type '${type}' does not exist`);
  return attributes;
}

/** Returns the tracked attributes, whose numbers encode them if they are missing, and then the other fields. */
function keysOf(fields: readonly PlacedField[], attributes: TrackedObject): Key[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const tracked = Object.entries(attributes);
  if (tracked.length > MAX_TRACKED)
    throw new RangeError(`an object has more than ${MAX_TRACKED} tracked attributes`);
  const others = fields.filter(({ key }) => !Object.hasOwn(attributes, key));
  return [
    ...tracked.map(([key, attribute]) => ({ key, field: byKey.get(key), attribute })),
    ...others.map((field) => ({ key: field.key, field, attribute: undefined })),
  ];
}

function reportedBits(members: readonly Key[]): number {
  const reported = members.map(({ attribute }, number) =>
    attribute?.required === undefined ? 0 : 2 ** number,
  );
  return reported.reduce((sum, bit) => sum + bit, 0);
}
