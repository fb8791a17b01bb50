import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { syncFolder } from '../lib/durable-folder.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';
import type { BackupFile } from './manifest.ts';

export const MANIFEST_FILE = 'manifest.json';
/** One line per blob: its key, size and checksum. */
export const BLOB_LIST_FILE = 'blobs.jsonl';
/** Lists the blobs that the snapshot refers to. Removed after the blobs are copied. */
export const REFERENCES_FILE = 'blob-references.jsonl';
const TABLES_FOLDER = 'tables';
const BLOBS_FOLDER = 'blobs';

/** The folder that contains a backup's blobs. */
export function blobsIn(folder: string): string {
  return path.join(folder, BLOBS_FOLDER);
}

/** A backup that is being written. Files have mode 600, folders 700. */
export class BackupFolder {
  readonly path: string;
  readonly #existed: boolean;

  private constructor(folder: string, existed: boolean) {
    this.path = folder;
    this.#existed = existed;
  }

  /** Throws an OperatorError if the folder is not empty or cannot be created. */
  static async create(folder: string): Promise<BackupFolder> {
    try {
      const created = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (created === undefined && (await readdir(folder)).length > 0)
        throw new OperatorError(`${folder} is not empty; choose a new folder for the backup`);
      const backup = new BackupFolder(folder, created === undefined);
      for (const inner of [TABLES_FOLDER, BLOBS_FOLDER]) await mkdir(backup.file(inner), { mode: 0o700 });
      return backup;
    } catch (error) {
      if (error instanceof OperatorError || !(error instanceof Error)) throw error;
      throw new OperatorError(`cannot write a backup to ${folder}: ${error.message}`, { cause: error });
    }
  }

  /** Returns the path of a file in the backup. */
  file(name: string): string {
    return path.join(this.path, name);
  }

  /** Returns the name of a table's file, as listed in the manifest. */
  tableFile(table: string): string {
    return `${TABLES_FOLDER}/${table}.copy.zst`;
  }

  /** Writes a file atomically: after a power failure, it is either complete or absent. */
  async writeDurably(name: string, text: string): Promise<void> {
    for (const folder of [TABLES_FOLDER, BLOBS_FOLDER, '.']) await flushEntries(this.file(folder));
    const unfinished = this.file(`${name}.part`);
    await using handle = await open(unfinished, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
    await rename(unfinished, this.file(name));
    await flushEntries(this.path);
    await flushEntries(path.dirname(path.resolve(this.path)));
  }

  async remove(name: string): Promise<void> {
    await rm(this.file(name));
  }

  /** Removes everything that was written. */
  async discard(): Promise<void> {
    if (!this.#existed) return await rm(this.path, { recursive: true, force: true });
    for (const name of await readdir(this.path)) await rm(this.file(name), { recursive: true, force: true });
  }
}

async function flushEntries(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    // Some network file systems cannot flush folders.
    if (codeOf(error) !== 'EINVAL') throw error;
  });
}

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
  readonly #serialize = pLimit(1);
  #bytes = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(file: string): Promise<HashedLines> {
    return new HashedLines(await open(file, 'wx', 0o600));
  }

  /** Resolves when this line and all earlier lines have been written. */
  async add(line: string): Promise<void> {
    const bytes = Buffer.from(`${line}\n`);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#serialize(() => this.#handle.appendFile(bytes));
  }

  /** Flushes the file to disk. */
  async end(): Promise<FileSummary> {
    await this.#serialize(() => this.#handle.sync());
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
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
