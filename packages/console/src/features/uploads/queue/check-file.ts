import { formatBytes } from '../../../lib/format-number.ts';

const NAME = /\.(json|json\.gz|json\.zst|zst)$/i;
/** What the picker of files offers. */
export const ACCEPTED = '.json,.gz,.zst';
const READ_BYTES = 1024;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * Why a file need not be sent, for people; `undefined`: nothing speaks against it. It reads the first KiB only: what is
 * in the records is for the service to say.
 */
export async function checkFile(file: File, maxBytes: number): Promise<string | undefined> {
  if (!NAME.test(file.name))
    return 'Its name says that it is something else. Choose files that end with .json, .json.gz or .zst.';
  if (file.size === 0) return 'The file is empty.';
  if (file.size > maxBytes)
    return `The file has ${formatBytes(file.size)}, and the service takes ${formatBytes(maxBytes)} at most. Compress it (gzip or zstd), or split it.`;
  const head = await readHead(file);
  return head === undefined
    ? 'The browser cannot read it. It is a folder, or was changed or moved: choose it again.'
    : checkHead(head);
}

function checkHead(head: Uint8Array): string | undefined {
  if (startsWith(head, GZIP) || startsWith(head, ZSTD)) return undefined;
  const text = startsWith(head, BYTE_ORDER_MARK) ? head.subarray(BYTE_ORDER_MARK.length) : head;
  const first = text.find((byte) => !BLANKS.has(byte));
  if (first === undefined || first === OPEN_BRACKET) return undefined;
  const hint = first === OPEN_BRACE ? ' Put the records into [ ], with commas between them.' : '';
  return `It is no JSON array of findings: it does not begin with “[”.${hint}`;
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte);
}

async function readHead(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer());
  } catch {
    // File API, section 7.1: whatever the kind of it, the file is not there any more as it was chosen.
    return undefined;
  }
}
