import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupFile } from './manifest.ts';

type FileSummary = Omit<BackupFile, 'file'>;

/** Writes a stream to a new file with mode 600 and flushes it to disk. Resolves with its size and checksum. */
export async function writeHashed(
  file: string,
  source: AsyncIterable<Uint8Array>,
  stages: readonly Transform[],
  signal: AbortSignal,
): Promise<FileSummary> {
  const hash = new HashingStream();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline([Readable.from(source), ...stages, hash, target], { signal });
  return hash.summary();
}

/** Reads a file as a stream and returns its size and checksum. */
export async function hashFile(file: string, signal: AbortSignal): Promise<FileSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { signal })) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
}

class HashingStream extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  summary(): FileSummary {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** A file to which concurrent writers append lines. */
export class HashedLines {
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(file: string): Promise<HashedLines> {
    return new HashedLines(await open(file, 'wx', 0o600));
  }

  /** Resolves when this line and all earlier lines have been written. */
  async add(line: string): Promise<void> {
    const bytes = Buffer.from(`${line}\n`);
    const written = this.#last.then(() => this.#handle.appendFile(bytes));
    this.#last = written;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await written;
  }

  /** Flushes the file to disk. */
  async end(): Promise<FileSummary> {
    await this.#last;
    await this.#handle.sync();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
