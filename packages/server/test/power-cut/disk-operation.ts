/** A file or folder, regardless of its names. */
export interface Inode {
  readonly id: number;
  readonly type: 'file' | 'folder';
}

/** A change that a power cut can undo until the change is flushed. */
export type Change =
  | { readonly type: 'write'; readonly inode: Inode; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly inode: Inode; readonly bytes: number }
  /** Entries of one folder that are added, replaced or, with `undefined`, removed atomically. */
  | {
      readonly type: 'entries';
      readonly inode: Inode;
      readonly entries: ReadonlyMap<string, Inode | undefined>;
    };

/** Makes every earlier change of its inode durable: the content of a file, or the entries of a folder. */
export interface Sync {
  readonly type: 'sync';
  readonly inode: Inode;
}

/** An operation of a process, which takes effect at some point between its start and its end. */
export interface DiskOperation<Effect = Change | Sync> {
  readonly effect: Effect;
  readonly startedAt: number;
  readonly endedAt: number;
}
