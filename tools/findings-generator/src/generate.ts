import { createIngredients } from './ingredients.ts';
import { completeOptions, type GeneratorOptions } from './options.ts';
import { buildRecord } from './record.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Generates the file as UTF-8 in chunks of about 256 KiB, and keeps only one chunk in memory. The file is a single JSON
 * array in the format that scanners write: each record is indented separately, and there is no newline between records.
 * Throws an OptionError immediately if an option is out of range.
 */
export function generateFindings(options: Partial<GeneratorOptions> = {}): Generator<Buffer> {
  return chunksOf(completeOptions(options));
}

function* chunksOf(options: GeneratorOptions): Generator<Buffer> {
  const ingredientsAt = createIngredients(options);
  let chunk: Buffer[] = [];
  let bytes = 0;
  for (let index = 0; index < options.records; index += 1) {
    const text = JSON.stringify(buildRecord(ingredientsAt(index)), null, options.indent);
    const record = Buffer.from((index === 0 ? '[' : ',') + text);
    chunk.push(record);
    bytes += record.length;
    if (bytes >= CHUNK_BYTES) {
      yield Buffer.concat(chunk, bytes);
      chunk = [];
      bytes = 0;
    }
  }
  chunk.push(Buffer.from(options.records === 0 ? '[]' : ']'));
  yield Buffer.concat(chunk);
}

/**
 * Returns the record at an index, counted from 0, even beyond the end of the file.
 *
 * The identity of the finding (account, check, finding uid, resource uid) depends only on the index, the provider, and
 * the counts of accounts, checks, and resources. It is unique for indexes below accounts x checks x resources; after
 * that, identities repeat. Seed, time, shares, and scan ID change the contents of the record, but never its identity.
 */
export function generateRecord(options: Partial<GeneratorOptions>, index: number): Record<string, unknown> {
  if (!Number.isInteger(index) || index < 0 || index > 0xffff_ffff) {
    throw new RangeError(`index must be an integer from 0 to ${0xffff_ffff}`);
  }
  return createRecordSource(options)(index);
}

/** Like `generateRecord`, for many records in any order: derives checks and accounts once, so records share objects. */
export function createRecordSource(
  options: Partial<GeneratorOptions>,
): (index: number) => Record<string, unknown> {
  const ingredientsAt = createIngredients(completeOptions(options));
  return (index) => buildRecord(ingredientsAt(index));
}
