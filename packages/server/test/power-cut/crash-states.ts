import type { Change, DiskOperation, Inode, Sync } from './disk-operation.ts';

/**
 * The outcome of a change after a power cut: it is lost; it is kept; only its size is kept, with zeros as content; or
 * only the first half of its bytes is kept, as if the write crossed disk blocks. The first letters form the ID of a
 * state, so they must differ.
 */
type Fate = (typeof FATES)[number];

const FATES = ['lost', 'kept', 'zeros', 'torn'] as const;

/** The possible outcomes of changes that are not durable. All other changes are kept. */
type Fates = ReadonlyMap<DiskOperation<Change>, Fate>;

/** A possible state of the disk after a power cut. */
export interface CrashState {
  /** Equal for equal states of the same operations, even at different moments. */
  readonly id: string;
  readonly tree: () => Tree;
}

/** The content of each file by path, `undefined` for a folder. A folder comes before its content. */
export type Tree = ReadonlyMap<string, Buffer | undefined>;

/**
 * With up to this many folder changes, all combinations are tried. With more, only the combinations of `someSubsets`
 * are tried.
 */
const MAX_COMBINED = 6;

type Bytes = Buffer<ArrayBuffer>;

/** Computes the possible states of the disk after a power cut from recorded operations. */
export class CrashModel {
  readonly #root: Inode;
  readonly #changes: readonly DiskOperation<Change>[];
  readonly #syncs: readonly DiskOperation<Sync>[];
  /** Equal contents share one buffer, so that they can be compared by identity. */
  readonly #contents = new Map<string, Buffer>();

  /** The root folder exists before all operations and is empty. */
  constructor(root: Inode, operations: readonly DiskOperation[]) {
    this.#root = root;
    this.#changes = operations.filter(isChange).sort((one, other) => one.startedAt - other.startedAt);
    this.#syncs = operations.filter(isSync);
  }

  /** Returns the possible states after a power cut at this moment. May contain duplicates. */
  *statesAt(moment: number): Generator<CrashState> {
    const performed = new Set(this.#changes.filter(({ startedAt }) => startedAt < moment));
    const pending = [...performed].filter((change) => !this.#isDurable(change, moment));
    const entries = pending.filter(({ effect }) => effect.type === 'entries');
    const contents = pending.filter(({ effect }) => effect.type !== 'entries');
    const stateOf = (given: Fates) =>
      this.#stateOf(
        this.#changes.map((change) => (performed.has(change) ? (given.get(change) ?? 'kept') : 'lost')),
      );
    for (const kept of subsetsOf(entries)) {
      const lost = entries.filter((change) => !kept.has(change));
      for (const fate of FATES) yield stateOf(fatesOf([lost, 'lost'], [contents, fate]));
    }
    for (const fates of singleFates(contents)) yield stateOf(fates);
  }

  /** Returns the state without a power cut. */
  finalTree(): Tree {
    return this.#treeOf(this.#changes.map(() => 'kept'));
  }

  #isDurable({ effect, endedAt }: DiskOperation<Change>, moment: number): boolean {
    return this.#syncs.some(
      (sync) => sync.effect.inode === effect.inode && sync.startedAt > endedAt && sync.endedAt < moment,
    );
  }

  #stateOf(fates: readonly Fate[]): CrashState {
    return { id: fates.map((fate) => fate[0]).join(''), tree: () => this.#treeOf(fates) };
  }

  #treeOf(fates: readonly Fate[]): Tree {
    const folders = new Map<Inode, Map<string, Inode>>();
    for (const [at, { effect }] of this.#changes.entries()) {
      if (effect.type !== 'entries' || fates[at] === 'lost') continue;
      const names = folders.get(effect.inode) ?? new Map<string, Inode>();
      folders.set(effect.inode, names);
      for (const [name, inode] of effect.entries) {
        if (inode === undefined) names.delete(name);
        else names.set(name, inode);
      }
    }
    const tree = new Map<string, Buffer | undefined>();
    const add = (folder: Inode, path: string) => {
      for (const [name, inode] of folders.get(folder) ?? []) {
        const childPath = `${path}${name}`;
        tree.set(childPath, inode.type === 'file' ? this.#contentOf(inode, fates) : undefined);
        if (inode.type === 'folder') add(inode, `${childPath}/`);
      }
    };
    add(this.#root, '');
    return tree;
  }

  #contentOf(file: Inode, fates: readonly Fate[]): Buffer {
    const changes = this.#changes.flatMap(({ effect }, at) => {
      const fate = fates[at];
      return effect.inode !== file || fate === undefined ? [] : [{ effect, fate }];
    });
    const id = `${file.id} ${changes.map(({ fate }) => fate[0]).join('')}`;
    const cached = this.#contents.get(id);
    if (cached !== undefined) return cached;
    const content = changes.reduce(
      (before, { effect, fate }) => applied(before, effect, fate),
      Buffer.alloc(0),
    );
    this.#contents.set(id, content);
    return content;
  }
}

function applied(content: Bytes, change: Change, fate: Fate): Bytes {
  if (change.type === 'entries' || fate === 'lost') return content;
  if (change.type === 'truncate') return resized(content, change.bytes);
  const { offset } = change;
  const bytes = fate === 'torn' ? change.bytes.subarray(0, change.bytes.length >> 1) : change.bytes;
  const written = Buffer.from(resized(content, Math.max(content.length, offset + bytes.length)));
  if (fate === 'zeros') written.fill(0, offset, offset + bytes.length);
  else bytes.copy(written, offset);
  return written;
}

function resized(content: Bytes, bytes: number): Bytes {
  return Buffer.concat([content], bytes);
}

/** Folder changes reach the disk independently: any subset of them may be durable. */
function subsetsOf<Item>(items: readonly Item[]): ReadonlySet<Item>[] {
  if (items.length > MAX_COMBINED) return someSubsets(items);
  return Array.from(
    { length: 2 ** items.length },
    (_, bits) => new Set(items.filter((_, at) => (bits >> at) & 1)),
  );
}

/**
 * Returns every prefix (including the empty and the full prefix), every single item, and every list that omits a single
 * item.
 */
function someSubsets<Item>(items: readonly Item[]): ReadonlySet<Item>[] {
  return [
    ...Array.from({ length: items.length + 1 }, (_, count) => new Set(items.slice(0, count))),
    ...items.map((item) => new Set([item])),
    ...items.map((item) => new Set(items.filter((other) => other !== item))),
  ];
}

/**
 * Varies each content change on its own, and also with all later changes to the same file lost, because a file may end
 * anywhere.
 */
function* singleFates(changes: readonly DiskOperation<Change>[]): Generator<Fates> {
  for (const change of changes) {
    const later = changes.filter(
      (other) => other.effect.inode === change.effect.inode && other.startedAt > change.startedAt,
    );
    for (const fate of FATES) {
      yield fatesOf([[change], fate]);
      yield fatesOf([[change], fate], [later, 'lost']);
    }
  }
}

function fatesOf(...given: readonly (readonly [readonly DiskOperation<Change>[], Fate])[]): Fates {
  return new Map(given.flatMap(([changes, fate]) => changes.map((change) => [change, fate] as const)));
}

function isChange(operation: DiskOperation): operation is DiskOperation<Change> {
  return operation.effect.type !== 'sync';
}

function isSync(operation: DiskOperation): operation is DiskOperation<Sync> {
  return operation.effect.type === 'sync';
}
