import { createHash } from 'node:crypto';
import { errorCode } from '../lib/errors.ts';
import { createDecompressor, type Decompressor, isCompressed } from './encoding.ts';

export interface HashedContent {
  /** SHA-256, in hexadecimal, of the decompressed content, or of the file itself if it cannot be decompressed. */
  readonly sha256: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly compressed: boolean;
}

interface InflatedHash {
  /** Resolves when the chunk has been consumed and its buffer may be reused. */
  readonly write: (chunk: Buffer) => Promise<void>;
  /** `undefined` if the bytes could not be decompressed. */
  readonly end: () => Promise<string | undefined>;
}

/**
 * Hashes the decompressed content of a file, so that compression does not affect the hash. A file with damaged
 * compressed data, or in a format that this version of Node does not support, is hashed as is; the service reports the
 * error.
 */
export async function hashContent(chunks: AsyncIterable<Buffer>): Promise<HashedContent> {
  const raw = createHash('sha256');
  let [bytes, compressed] = [0, false];
  let inflated: InflatedHash | undefined;
  for await (const chunk of chunks) {
    if (bytes === 0) {
      compressed = isCompressed(chunk);
      inflated = startInflatedHash(chunk);
    }
    bytes += chunk.length;
    raw.update(chunk);
    await inflated?.write(chunk);
  }
  return { sha256: (await inflated?.end()) ?? raw.digest('hex'), bytes, compressed };
}

/** `undefined` if the file does not start with the magic bytes of a compressed format. */
function startInflatedHash(start: Buffer): InflatedHash | undefined {
  const inflate = createDecompressor(start);
  if (inflate === undefined) return undefined;
  const hash = hashOf(inflate);
  return {
    write: async (chunk) => {
      const taken = new Promise<void>((resolve) => inflate.write(chunk, () => resolve()));
      // After corrupt data, the stream accepts no more input.
      if (!inflate.destroyed) await Promise.race([taken, hash]);
    },
    end: () => {
      inflate.end();
      return hash;
    },
  };
}

async function hashOf(inflate: Decompressor): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of inflate) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (/^Z(STD|_)/.test(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
