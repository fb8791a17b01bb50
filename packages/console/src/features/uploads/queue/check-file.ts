import { formatBytes } from '../../../lib/format-number.ts';

const NAME = /\.(json|ndjson|jsonl)(\.gz|\.zst)?$|\.zst$/i;
/** The file types that the file picker accepts. */
export const ACCEPTED = '.json,.ndjson,.jsonl,.gz,.zst';
const READ_BYTES = 1024;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * Returns why a file can't be uploaded, as a message for the user, or `undefined` if it can. Reads only the first KiB;
 * the service validates the records.
 */
export async function checkFile(file: File, maxBytes: number): Promise<string | undefined> {
  if (!NAME.test(file.name))
    return 'Unsupported file type. Choose a file that ends in .json, .ndjson or .jsonl, or such a file compressed to .gz or .zst.';
  if (file.size === 0) return 'The file is empty.';
  if (file.size > maxBytes)
    return `The file (${formatBytes(file.size)}) exceeds the limit of ${formatBytes(maxBytes)}. Compress it with gzip or zstd, or split it.`;
  const head = await readHead(file);
  return head === undefined
    ? "The browser can't read this file because it is a folder or has changed. Choose it again."
    : checkHead(head);
}

function checkHead(head: Uint8Array): string | undefined {
  if (startsWith(head, GZIP) || startsWith(head, ZSTD)) return undefined;
  const text = startsWith(head, BYTE_ORDER_MARK) ? head.subarray(BYTE_ORDER_MARK.length) : head;
  const first = text.find((byte) => !WHITE_SPACE.has(byte));
  // The service decides whether an object is the first of several lines.
  if (first === undefined || first === OPEN_BRACKET || first === OPEN_BRACE) return undefined;
  return 'The file is neither a JSON array nor NDJSON: it starts with neither “[” nor “{”.';
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}

async function readHead(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer());
  } catch {
    // Any read error means that the file has changed or is no longer available (File API, section 7.1).
    return undefined;
  }
}
