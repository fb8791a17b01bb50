import { createWriteStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PushError } from '../client/index.ts';
import { ScannerError } from '../scanner-error.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Standard input, saved to a file. */
export interface SavedInput {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * Saves standard input to a file, because it is read once for the hash, once for the upload, and again for each retry.
 * Throws a ScannerError with the code `input_not_kept` or a PushError with the code `file_empty`.
 */
export async function saveStandardInput(input: Readable): Promise<SavedInput> {
  try {
    const { folder, remove } = await makeTemporaryFolder();
    const saved = createWriteStream(path.join(folder, 'standard-input.ocsf.json'));
    await pipeline(input, saved);
    if (saved.bytesWritten > 0) return { path: String(saved.path), remove };
    await remove();
    throw new PushError('file_empty', 'standard input is empty');
  } catch (error) {
    if (error instanceof PushError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `standard input could not be saved to a file: ${reason}; set TMPDIR to a folder with enough space`;
    throw new ScannerError('input_not_kept', message, { cause: error });
  }
}
