/** A file or folder, whatever its names are. */
export interface Inode {
  readonly id: number;
  readonly type: 'file' | 'folder';
}

/** A change that is lost in a power cut until it is flushed. */
export type Change =
  | { readonly type: 'write'; readonly inode: Inode; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly inode: Inode; readonly bytes: number }
  /** Names of one folder that appear, are replaced or, with `undefined`, disappear; all at once. */
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

/** What a process did, and when: two moments of one clock, between which it may have taken effect. */
export interface DiskOperation<Effect = Change | Sync> {
  readonly effect: Effect;
  readonly beganAt: number;
  readonly endedAt: number;
}
