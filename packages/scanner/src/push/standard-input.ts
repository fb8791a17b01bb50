import { createWriteStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PushError } from '../client/index.ts';
import { ScannerError } from '../scanner-error.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** What came from standard input, as a file. */
export interface SavedInput {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * Puts standard input into a file: it has to be read twice, for its hash and for sending it, and again for each repeat.
 * Throws a ScannerError `input_not_kept`, and a PushError `file_empty`.
 */
export async function saveStandardInput(input: Readable): Promise<SavedInput> {
  try {
    const { folder, remove } = await makeTemporaryFolder();
    const kept = createWriteStream(path.join(folder, 'standard-input.ocsf.json'));
    await pipeline(input, kept);
    if (kept.bytesWritten > 0) return { path: String(kept.path), remove };
    await remove();
    throw new PushError('file_empty', 'standard input is empty');
  } catch (error) {
    if (error instanceof PushError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const message = `standard input could not be kept in a file: ${why}; set TMPDIR to a folder with room for it`;
    throw new ScannerError('input_not_kept', message, { cause: error });
  }
}
