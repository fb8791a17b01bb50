import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tree } from './crash-states.ts';

/** A folder that shows one state after another: only what differs is written. */
export class StateFolder {
  readonly path: string;
  #shown: Tree = new Map();

  /** The folder exists and is empty. */
  constructor(folder: string) {
    this.path = folder;
  }

  async show(tree: Tree): Promise<void> {
    for (const place of this.#shown.keys())
      if (!tree.has(place)) await rm(path.join(this.path, place), { recursive: true, force: true });
    for (const [place, content] of tree) {
      if (this.#shown.has(place) && this.#shown.get(place) === content) continue;
      if (content === undefined) await mkdir(path.join(this.path, place));
      else await writeFile(path.join(this.path, place), content);
    }
    this.#shown = tree;
  }
}
