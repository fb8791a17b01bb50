import { isAscii, isUtf8 } from 'node:buffer';
import { compileWasm, instantiateWasm } from '../load-wasm.ts';
import { type FieldLayout, type FieldTree, layOutFields, type TrackedAttributes } from './field-layout.ts';
import { type KeyMemory, writeKeys } from './write-keys.ts';

/** The bytes of a record: [start, end) of a buffer. */
export interface RecordPlace {
  readonly start: number;
  readonly end: number;
  /** A record with a problem is not read. */
  readonly problem?: string;
}

/** The exports of `assembly/scan-fields.ts`, which documents the memory layout. */
interface Scanner extends KeyMemory {
  readonly scan: (records: number, fields: number, texts: number, elementFields: number) => number;
  readonly MAX_RECORDS: WebAssembly.Global;
  readonly MAX_TEXT: WebAssembly.Global;
  readonly PADDING: WebAssembly.Global;
  readonly spans: WebAssembly.Global;
  readonly text: WebAssembly.Global;
  readonly fields: WebAssembly.Global;
  readonly texts: WebAssembly.Global;
  readonly rows: WebAssembly.Global;
}

const scannerModule = compileWasm(new URL('./scan-fields.wasm', import.meta.url));

/** Extracts the fields of a tree from records, and finds their missing attributes. Each thread needs only one instance. */
export class FieldScanner {
  readonly layout: FieldLayout;
  /** The extracted texts, and for each record the end of its texts and their hash. */
  readonly texts: Buffer;
  readonly rows: Uint32Array;
  readonly maxRecords: number;
  /** Maximum size of the text that is scanned at once, in bytes. Larger records are not read. */
  readonly maxText: number;
  readonly #scanner: Scanner;
  readonly #text: Uint8Array;
  readonly #spans: Uint32Array;

  /** @throws RangeError if the tree has too many fields, or if `writeKeys` does */
  constructor(tree: FieldTree, tracked?: TrackedAttributes) {
    const scanner = instantiateWasm<Scanner>(scannerModule);
    const { buffer } = scanner.memory;
    this.#scanner = scanner;
    this.layout = layOutFields(tree, tracked);
    this.maxRecords = scanner.MAX_RECORDS.value;
    this.maxText = scanner.MAX_TEXT.value;
    this.texts = Buffer.from(buffer, scanner.texts.value);
    this.rows = new Uint32Array(buffer, scanner.rows.value, this.maxRecords * 2);
    this.#text = new Uint8Array(buffer, scanner.text.value, this.maxText + scanner.PADDING.value);
    this.#spans = new Uint32Array(buffer, scanner.spans.value, this.maxRecords * 2);
    writeKeys(scanner, this.layout.placed, tracked);
  }

  /** Scans these records. Returns a copy of their fields. The texts and rows are overwritten by the next call. */
  scan(bytes: Buffer, records: readonly RecordPlace[]): Buffer {
    const from = records[0]?.start ?? 0;
    const end = records.at(-1)?.end ?? 0;
    const { memory, scan, text, fields, PADDING } = this.#scanner;
    this.#text.set(bytes.subarray(from, end));
    this.#text.fill(0, end - from, end - from + PADDING.value);
    for (const [position, { start, end }] of records.entries()) {
      this.#spans[position * 2] = text.value + start - from;
      this.#spans[position * 2 + 1] = text.value + end - from;
    }
    const { fieldCount, textCount, elementFieldCount } = this.layout;
    const length = scan(records.length, fieldCount, textCount, elementFieldCount);
    return Buffer.from(Buffer.from(memory.buffer, fields.value, length));
  }
}

/** Size of an extract's header, in bytes. */
export const HEADER_BYTES = 16;
/** The fields of an unread record. */
const UNREAD = Buffer.of(0);

/**
 * Collects the fields of consecutive records in an extract, which `ExtractReader` reads. The extract consists of a
 * header (layout id, whether all text is ASCII, number of records, length of the fields), the fields with the missing
 * attributes, the number of each record's texts, and the distinct texts with their lengths. All numbers outside of the
 * fields are u32.
 */
export class ExtractBuilder {
  readonly #scanner: FieldScanner;
  readonly #maxBytes: number;
  #fields: Buffer[] = [];
  #textNumbers: number[] = [];
  #texts: Buffer[] = [];
  /** The last texts with each hash. Texts with equal hashes are rare, so others may be stored again. */
  readonly #numbers = new Map<number, number>();
  #bytes = 0;
  #isAscii = true;

  /** The extract is discarded if it becomes larger than `maxBytes`. */
  constructor(scanner: FieldScanner, maxBytes = Number.POSITIVE_INFINITY) {
    this.#scanner = scanner;
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds the next records. Records that are not completely in `bytes`, are too large, have a problem or are not valid
   * UTF-8 are added as unread.
   */
  add(bytes: Buffer, records: readonly RecordPlace[]): void {
    for (let from = 0; from < records.length && this.#bytes <= this.#maxBytes; ) {
      const count = this.#readable(bytes, records, from);
      if (count === 0) this.#addFields(UNREAD, 0);
      else this.#addFields(this.#scanner.scan(bytes, records.slice(from, from + count)), count);
      from += Math.max(count, 1);
    }
  }

  /** Returns the extract; `undefined` if it became too large. */
  encode(): Buffer | undefined {
    if (this.#bytes > this.#maxBytes) return undefined;
    const fields = Buffer.concat(this.#fields);
    const { id } = this.#scanner.layout;
    const header = Uint32Array.of(id, Number(this.#isAscii), this.#textNumbers.length, fields.length);
    const texts = this.#texts.flatMap((text) => [bytesOf(Uint32Array.of(text.length)), text]);
    return Buffer.concat([bytesOf(header), fields, bytesOf(Uint32Array.from(this.#textNumbers)), ...texts]);
  }

  /** Number of records from `from` on that can be scanned at once. */
  #readable(bytes: Buffer, records: readonly RecordPlace[], from: number): number {
    const { maxRecords, maxText } = this.#scanner;
    const start = records[from]?.start ?? -1;
    let end = start;
    let count = 0;
    for (; start >= 0 && count < maxRecords; count++) {
      const record = records[from + count];
      if (record === undefined || record.problem !== undefined || record.start < end) break;
      if (record.end - start > maxText || record.end > bytes.length) break;
      end = record.end;
    }
    if (count === 0 || isAscii(bytes.subarray(start, end))) return count;
    this.#isAscii = false;
    // Bisects, so that a single invalid record does not make others unread.
    while (count > 0 && !isUtf8(bytes.subarray(start, records[from + count - 1]?.end))) count >>= 1;
    return count;
  }

  #addFields(fields: Buffer, count: number): void {
    this.#fields.push(fields);
    this.#bytes += fields.length;
    if (count === 0) this.#textNumbers.push(0);
    const { rows } = this.#scanner;
    let start = 0;
    for (let record = 0; record < count; record++) {
      const end = rows[record * 2] ?? 0;
      this.#textNumbers.push(this.#numberOf(start, end, rows[record * 2 + 1] ?? 0));
      start = end;
    }
  }

  #numberOf(start: number, end: number, hash: number): number {
    const { texts } = this.#scanner;
    const known = this.#numbers.get(hash);
    const text = known === undefined ? undefined : this.#texts[known];
    if (known !== undefined && text !== undefined && texts.compare(text, 0, text.length, start, end) === 0)
      return known;
    const number = this.#texts.push(Buffer.from(texts.subarray(start, end))) - 1;
    this.#bytes += end - start;
    this.#numbers.set(hash, number);
    return number;
  }
}

function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
