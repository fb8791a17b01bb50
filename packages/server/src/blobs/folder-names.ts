import path from 'node:path';
import { syncFolder } from '../lib/durable-folder.ts';

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
