import { open } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '../lib/operator-error.ts';

const reference = z.strictObject({ key: z.string(), bytes: z.int().nonnegative() });
const entry = z.union([
  reference.extend({ sha256: z.hex().length(64) }),
  /** The blob was already missing from the blob store. */
  z.strictObject({ key: z.string(), missing: z.literal(true) }),
]);

/** A blob to copy, with its size in bytes. */
export type BlobToCopy = z.output<typeof reference>;
/** A blob in a backup. */
export type BlobEntry = z.output<typeof entry>;

/** Reads the list of blobs to copy. Throws an OperatorError if it is damaged. */
export function readReferences(file: string): AsyncGenerator<BlobToCopy> {
  return readLines(file, reference);
}

/** Reads the list of blobs of a complete backup. Throws an OperatorError if it is damaged. */
export function readBlobList(file: string): AsyncGenerator<BlobEntry> {
  return readLines(file, entry);
}

async function* readLines<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  await using handle = await open(file, 'r');
  for await (const line of handle.readLines({ autoClose: false })) {
    const read = schema.safeParse(parse(line));
    if (!read.success) throw new OperatorError(`${file} is damaged; restore another backup`);
    yield read.data;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
