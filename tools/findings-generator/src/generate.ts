import { ingredientsFinder } from './ingredients.ts';
import { completeOptions, type GeneratorOptions } from './options.ts';
import { recordOf } from './record.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * The text of the file in UTF-8, in chunks of about 256 KiB: one JSON array, written like a scanner writes it, that is
 * each record indented on its own and the records joined without a newline. Holds one chunk in memory.
 * Options that are not given have their default; one out of range throws an OptionError at once.
 */
export function generateFindings(options: Partial<GeneratorOptions> = {}): Generator<Buffer> {
  return chunksOf(completeOptions(options));
}

function* chunksOf(options: GeneratorOptions): Generator<Buffer> {
  const ingredientsAt = ingredientsFinder(options);
  let parts: Buffer[] = [];
  let bytes = 0;
  for (let index = 0; index < options.records; index += 1) {
    const text = JSON.stringify(recordOf(ingredientsAt(index)), null, options.indent);
    const part = Buffer.from((index === 0 ? '[' : ',') + text);
    parts.push(part);
    bytes += part.length;
    if (bytes >= CHUNK_BYTES) {
      yield Buffer.concat(parts, bytes);
      parts = [];
      bytes = 0;
    }
  }
  parts.push(Buffer.from(options.records === 0 ? '[]' : ']'));
  yield Buffer.concat(parts);
}

/**
 * The record that the file holds at an index, counted from 0, or would hold if it were long enough.
 *
 * Which finding it is (account, check, finding uid, resource uid) depends on the index, the provider and the numbers of
 * accounts, checks and resources alone, and differs for all indexes below accounts x checks x resources; from there
 * on they come again. Seed, time, shares and scan id change what is said about the finding, never which one it is.
 */
export function generateRecord(options: Partial<GeneratorOptions>, index: number): Record<string, unknown> {
  if (!Number.isInteger(index) || index < 0 || index > 0xffff_ffff) {
    throw new RangeError(`index must be a whole number from 0 to ${0xffff_ffff}`);
  }
  return recordOf(ingredientsFinder(completeOptions(options))(index));
}
