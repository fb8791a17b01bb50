import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tree } from './crash-states.ts';

/** A folder that switches between states. Only differences are written. */
export class StateFolder {
  readonly path: string;
  #current: Tree = new Map();

  /** The folder must exist and be empty. */
  constructor(folder: string) {
    this.path = folder;
  }

  async show(tree: Tree): Promise<void> {
    for (const relativePath of this.#current.keys())
      if (!tree.has(relativePath))
        await rm(path.join(this.path, relativePath), { recursive: true, force: true });
    for (const [relativePath, content] of tree) {
      if (this.#current.has(relativePath) && this.#current.get(relativePath) === content) continue;
      if (content === undefined) await mkdir(path.join(this.path, relativePath));
      else await writeFile(path.join(this.path, relativePath), content);
    }
    this.#current = tree;
  }
}
