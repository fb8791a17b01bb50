import path from 'node:path';
import { syncFolder } from '../durable-folder.ts';

/** Bounds the memory of a process that runs for years. */
const MAX_REMEMBERED = 10_000;

/**
 * Flushes the names that lead to a blob, so that they survive a power cut. The upload or process that created a folder may
 * not have flushed its name yet, so each process flushes the name of each folder once. Folders are removed only when they
 * are too old for new blobs, so a flushed name does not have to be flushed again.
 */
export class FolderNames {
  readonly #root: string;
  readonly #flushed = new Set<string>();

  /** `root` is an absolute path; its own name is not flushed. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Flushes the name of a file, and those of the folders between the root and it. */
  async flush(file: string): Promise<void> {
    const folder = path.dirname(file);
    await syncFolder(folder);
    const unflushed: string[] = [];
    for (let at = folder; at !== this.#root; at = path.dirname(at))
      if (!this.#flushed.has(at)) unflushed.push(at);
    for (const one of unflushed) await syncFolder(path.dirname(one));
    if (this.#flushed.size > MAX_REMEMBERED) this.#flushed.clear();
    for (const one of unflushed) this.#flushed.add(one);
  }
}
