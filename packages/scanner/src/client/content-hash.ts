import { createHash } from 'node:crypto';
import { faultCode } from '../fault-code.ts';
import { createDecompressor, type Decompressor, isCompressed } from './encoding.ts';

export interface HashedContent {
  /** SHA-256 in hexadecimal, of the content inflated where the file is compressed and can be inflated here. */
  readonly sha256: string;
  /** Of the file as it is. */
  readonly bytes: number;
  readonly compressed: boolean;
}

/**
 * Hashes what a file holds, so that the same content has the same hash however it is compressed. A file that is damaged as
 * compressed data, or whose format this Node does not know, is hashed as it is: the service reports what is wrong with it.
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

interface InflatedHash {
  /** Resolves when the chunk has been taken in: its buffer may then be used for other bytes. */
  readonly write: (chunk: Buffer) => Promise<void>;
  /** `undefined`: the bytes could not be inflated. */
  readonly end: () => Promise<string | undefined>;
}

/** `undefined` where the file does not start as compressed data does. */
function startInflatedHash(start: Buffer): InflatedHash | undefined {
  const inflate = createDecompressor(start);
  if (inflate === undefined) return undefined;
  const hash = hashOf(inflate);
  return {
    write: async (chunk) => {
      const taken = new Promise<void>((resolve) => inflate.write(chunk, () => resolve()));
      // What is damaged takes nothing more.
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
    if (/^Z(STD|_)/.test(faultCode(error) ?? '')) return undefined;
    throw error;
  }
}
