import { access, constants, type FileHandle, mkdir, open, opendir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDurableFolder, syncFolder } from '../lib/durable-folder.ts';
import { codeOf, messageOf, OperatorError } from '../lib/errors.ts';
import {
  assertBlobKey,
  BLOB_STORE_MARKER,
  type BlobStore,
  BlobStoreUnavailable,
  BlobTooShort,
  type BlobWriter,
  KEY_FOLDERS,
  type StoredBlob,
  type UnfinishedBlob,
} from './blob-store.ts';

/** Maximum attempts to create a file: another process may remove its folder while the folder is empty. */
const CREATE_ATTEMPTS = 5;
const DAY_MS = 24 * 3600 * 1000;
/** Bounds the memory of a process that runs for years. */
const MAX_REMEMBERED = 10_000;

/** Stores blobs as files below a folder, accessible to the current system user only. */
export class FileBlobStore implements BlobStore {
  readonly #root: string;
  readonly #folderNames: FolderNames;

  constructor(root: string) {
    this.#root = path.resolve(root);
    this.#folderNames = new FolderNames(this.#root);
  }

  async assertUsable(): Promise<void> {
    await this.#asOperatorError(() => access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK));
  }

  async prepare(): Promise<void> {
    await this.#asOperatorError(() => makeDurableFolder(this.#root, 0o700));
    await this.assertUsable();
  }

  async create(key: string): Promise<BlobWriter> {
    const file = this.#path(key);
    return await this.#access(key, async () => {
      for (let attempt = 1; ; attempt++) {
        // If the disk is not mounted, files could still be created in the empty mount point.
        if (key !== BLOB_STORE_MARKER) await access(this.#path(BLOB_STORE_MARKER));
        try {
          await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
          return new FileBlobWriter(file, await open(file, 'wx', 0o600), this.#folderNames);
        } catch (error) {
          if (attempt === CREATE_ATTEMPTS || codeOf(error) !== 'ENOENT') throw error;
        }
      }
    });
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const file = this.#path(key);
    return await this.#access(key, async () => {
      await using handle = await open(file, 'r');
      const bytes = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      if (bytesRead < length)
        throw new BlobTooShort(
          `the blob ${key} ends at byte ${offset + bytesRead}, but bytes ${offset} to ${offset + length} were requested`,
        );
      return bytes;
    });
  }

  async delete(key: string): Promise<void> {
    const file = this.#path(key);
    await this.#access(key, async () => {
      await rm(file, { force: true });
      await removeOldFolder(path.dirname(file));
    });
  }

  list(signal?: AbortSignal): AsyncIterable<StoredBlob> {
    return translateListErrors(listFiles(this.#root, signal));
  }

  /** Always empty, because `list` returns a file as soon as it is created. */
  async *unfinished(): AsyncIterable<UnfinishedBlob> {}

  async #asOperatorError(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new OperatorError(
        `the blob store folder cannot be used: ${messageOf(error)}; check SLUICE_BLOB_STORE`,
        { cause: error },
      );
    }
  }

  async #access<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const marker = this.#path(BLOB_STORE_MARKER);
    const hasMarker = async () =>
      (await Promise.allSettled([access(marker)])).every(({ status }) => status === 'fulfilled');
    return await translateErrors(work, key === BLOB_STORE_MARKER ? undefined : hasMarker);
  }

  #path(key: string): string {
    assertBlobKey(key);
    return path.join(this.#root, ...key.split('/'));
  }
}

class FileBlobWriter implements BlobWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #folderNames: FolderNames;

  constructor(file: string, handle: FileHandle, folderNames: FolderNames) {
    this.#file = file;
    this.#handle = handle;
    this.#folderNames = folderNames;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await translateErrors(async () => {
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, written);
        written += bytesWritten;
      }
    });
  }

  async commit(): Promise<void> {
    await translateErrors(async () => {
      await this.#handle.sync();
      await this.#handle.close();
      await this.#folderNames.flush(this.#file);
    });
  }

  async abort(): Promise<void> {
    // `close` can fail, for example on NFS if earlier writes failed.
    try {
      await this.#handle.close();
    } finally {
      await rm(this.#file, { force: true });
    }
  }
}

/**
 * Flushes the directory entries on the path of a blob, so that they survive a power failure. The process that created a
 * folder may not have flushed its entry yet, so each process flushes the entry of each folder once. Folders are removed
 * only when they are too old for new blobs, so an entry never has to be flushed again.
 */
export class FolderNames {
  readonly #root: string;
  readonly #flushed = new Set<string>();

  /** `root` is an absolute path. Its own entry is not flushed. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Flushes the entries of a file and of the folders between it and the root. */
  async flush(file: string): Promise<void> {
    const folder = path.dirname(file);
    await syncFolder(folder);
    const unflushed: string[] = [];
    for (let at = folder; at !== this.#root; at = path.dirname(at))
      if (!this.#flushed.has(at)) unflushed.push(at);
    for (const entry of unflushed) await syncFolder(path.dirname(entry));
    if (this.#flushed.size > MAX_REMEMBERED) this.#flushed.clear();
    for (const entry of unflushed) this.#flushed.add(entry);
  }
}

/** Removes a day's folder if it is empty and too old for new uploads. */
async function removeOldFolder(folder: string): Promise<void> {
  const day = Date.parse(path.basename(folder));
  if (!(day < Date.now() - 2 * DAY_MS)) return;
  try {
    await rmdir(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  }
}

/**
 * Lists the files below a folder at paths where blobs can be stored. Omits files and folders that are removed in the
 * meantime. Skips other folders, such as a disk's `lost+found`, which may be unreadable.
 */
async function* listFiles(
  root: string,
  signal?: AbortSignal,
  folders: readonly string[] = [],
): AsyncGenerator<StoredBlob, void> {
  const entries = await ifExists(opendir(path.join(root, ...folders)));
  if (entries === undefined) return;
  const inner = KEY_FOLDERS[folders.length];
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const names = [...folders, entry.name];
    if (entry.isDirectory() && inner?.test(entry.name) === true) yield* listFiles(root, signal, names);
    if (!entry.isFile()) continue;
    const file = await ifExists(stat(path.join(root, ...names)));
    if (file !== undefined) yield { key: names.join('/'), bytes: file.size, modifiedAt: file.mtime };
  }
}

async function ifExists<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Error codes (errno(3)) of a file system that is unavailable or not accessible to this process. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'EACCES',
  'EHOSTDOWN',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOTCONN',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
]);

/**
 * Runs an operation on the store's files. Throws a BlobStoreUnavailable if the file system is unavailable, or if a file
 * is missing because the whole store is missing.
 */
async function translateErrors<Result>(
  work: () => Promise<Result>,
  storeExists: () => Promise<boolean> = async () => true,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const isUnavailable = UNAVAILABLE.has(code) || (code === 'ENOENT' && !(await storeExists()));
    throw isUnavailable
      ? new BlobStoreUnavailable(`the blob store folder is unavailable (${code})`, error)
      : error;
  }
}

/** Like `translateErrors`, but for a list that is read incrementally. */
async function* translateListErrors<Element>(list: AsyncIterable<Element>): AsyncGenerator<Element, void> {
  const elements = list[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await translateErrors(() => elements.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await elements.return?.();
  }
}
