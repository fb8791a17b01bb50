import { writeFile } from 'node:fs/promises';
import { ScannerError } from '../lib/errors.ts';

/** Writes the file of `--json-file`. Throws a ScannerError with the code `output_unwritable`. */
export async function writeJsonFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScannerError('output_unwritable', `--json-file ${file} cannot be written: ${reason}`, {
      cause: error,
    });
  }
}
