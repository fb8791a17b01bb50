import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../lib/durable-folder.ts';
import { codeOf } from '../lib/errors.ts';
import { KEY_FOLDERS, type StoredBlob } from './blob-store.ts';

/** Bounds the memory of a process that runs for years. */
const MAX_REMEMBERED = 10_000;

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

/**
 * Lists the files below a folder at paths where blobs can be stored. Omits files and folders that are removed in the
 * meantime. Skips other folders, such as a disk's `lost+found`, which may be unreadable.
 */
export async function* listFiles(
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
