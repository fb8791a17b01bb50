import path from 'node:path';
import { syncFolder } from '../durable-folder.ts';

/** A process that runs for years sees more folders than it has to remember. */
const MAX_REMEMBERED = 10_000;

/**
 * Makes the names that lead to a blob survive a power cut. Whoever made a folder, another upload or another process, may not
 * have flushed its name yet, so each process flushes the name of each folder itself, once. A folder is removed only when
 * it is so old that no blob is begun in it: what was flushed stays so.
 */
export class FolderNames {
  readonly #root: string;
  readonly #flushed = new Set<string>();

  /** An absolute path; its own name is not flushed. */
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
