import path from 'node:path';
import type { Change, DiskOperation, Inode, Sync } from './disk-operation.ts';
import { bytesIn, type SystemCall } from './system-calls.ts';

/** The operations of a process below a folder. */
export interface Recording {
  /** The folder. */
  readonly root: Inode;
  readonly operations: readonly DiskOperation[];
}

const OPEN = ['open', 'openat', 'creat'];
const WRITES = ['write', 'writev'];
const WRITES_AT = ['pwrite64', 'pwritev', 'pwritev2'];
const SYNCS = ['fsync', 'fdatasync'];
const CREATE_FOLDER = ['mkdir', 'mkdirat'];
const REMOVES = ['unlink', 'unlinkat', 'rmdir'];
const RENAMES = ['rename', 'renameat', 'renameat2'];
/** Other calls that change files. The blob writer does not use them. */
const UNSUPPORTED = [
  'openat2',
  'dup',
  'dup2',
  'dup3',
  'truncate',
  'fallocate',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'copy_file_range',
  'sendfile',
  'splice',
  'sync_file_range',
  'syncfs',
];

/** The calls that a trace must contain. */
export const RECORDED_CALLS: readonly string[] = [
  ...[OPEN, WRITES, WRITES_AT, SYNCS, CREATE_FOLDER, REMOVES, RENAMES].flat(),
  ...['close', 'ftruncate'],
  ...UNSUPPORTED,
];

/**
 * Extracts the operations on files and folders below this initially empty folder from the calls of a process. Throws an
 * Error for an unsupported call that may change files or folders.
 */
export function recordingOf(calls: readonly SystemCall[], folder: string): Recording {
  const recorder = new Recorder(folder);
  const steps = calls
    .filter(({ result }) => result === undefined || result >= 0)
    .flatMap((call) => recorder.stepsOf(call))
    .sort((one, other) => one.at - other.at);
  for (const { run } of steps) run();
  return recorder;
}

interface Step {
  readonly at: number;
  readonly run: () => void;
}

interface OpenFile {
  readonly inode: Inode;
  position: number;
}

class Recorder implements Recording {
  readonly root: Inode = { id: 0, type: 'folder' };
  readonly operations: DiskOperation[] = [];
  readonly #folder: string;
  #inodes = 1;
  readonly #files = new Map<string, OpenFile>();
  readonly #entries = new Map<Inode, Map<string, Inode>>([[this.root, new Map()]]);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Other threads may use a name, or reuse a closed descriptor, before the trace shows the end of the call. Therefore names
   * are added at the start of a call and removed at its end.
   */
  stepsOf(call: SystemCall): Step[] {
    const { name, args, startedAt, endedAt } = call;
    const atStart = (run: () => void) => [{ at: startedAt, run }];
    const atEnd = (run: () => void) => [{ at: endedAt, run }];
    const [first = ''] = args;
    const [relativePath, target] = this.#placesIn(args);
    if (name === 'close') return atStart(() => this.#files.delete(first));
    if (WRITES.includes(name)) return atEnd(() => this.#write(call));
    if (WRITES_AT.includes(name)) return atEnd(() => this.#write(call, Number(args[3])));
    if (SYNCS.includes(name)) return atEnd(() => this.#onFile(call, (inode) => ({ type: 'sync', inode })));
    if (name === 'ftruncate')
      return atEnd(() =>
        this.#onFile(call, (inode) => ({ type: 'truncate', inode, bytes: Number(args[1]) })),
      );
    if (relativePath === undefined && target === undefined)
      return UNSUPPORTED.includes(name)
        ? atEnd(() => this.#assertNotRecorded(call))
        : this.#releaseDescriptor(call);
    if (relativePath === undefined || UNSUPPORTED.includes(name))
      throw new Error(`${name} below the folder is not supported`);
    if (OPEN.includes(name))
      return [
        ...atStart(() => isCreating(call) && this.#create(call, relativePath)),
        ...atEnd(() =>
          this.#files.set(String(call.result), { inode: this.#find(relativePath), position: 0 }),
        ),
      ];
    if (CREATE_FOLDER.includes(name))
      return atStart(() => this.#link(call, relativePath, this.#newInode('folder')));
    if (REMOVES.includes(name)) return atEnd(() => this.#link(call, relativePath, undefined));
    if (RENAMES.includes(name) && target !== undefined)
      return atEnd(() => this.#rename(call, relativePath, target));
    throw new Error(`${name} is not supported`);
  }

  /** The paths in a system call, relative to the folder; `undefined` for paths elsewhere. */
  #placesIn(args: readonly string[]): (string | undefined)[] {
    const paths = args.filter((arg) => arg.startsWith('"')).map((arg) => bytesIn(arg).toString());
    return paths.map((file) => {
      const relativePath = path.relative(this.#folder, file);
      return !path.isAbsolute(file) || relativePath === '..' || relativePath.startsWith('../')
        ? undefined
        : relativePath;
    });
  }

  /** A file elsewhere may reuse a descriptor of a recorded file. */
  #releaseDescriptor({ name, result, endedAt }: SystemCall): Step[] {
    return OPEN.includes(name) ? [{ at: endedAt, run: () => this.#files.delete(String(result)) }] : [];
  }

  #assertNotRecorded({ name, args }: SystemCall): void {
    if (args.some((arg) => this.#files.has(arg)))
      throw new Error(`${name} on a recorded file is not supported`);
  }

  #onFile(call: SystemCall, effect: (inode: Inode) => Change | Sync): void {
    const file = this.#files.get(call.args[0] ?? '');
    if (file !== undefined) this.#record(call, effect(file.inode));
  }

  #write(call: SystemCall, offset?: number): void {
    const { args, result } = call;
    const [descriptor = '', data = ''] = args;
    const file = this.#files.get(descriptor);
    if (file === undefined) return;
    const bytes = bytesIn(data).subarray(0, result);
    this.#record(call, { type: 'write', inode: file.inode, offset: offset ?? file.position, bytes });
    if (offset === undefined) file.position += bytes.length;
  }

  #create(call: SystemCall, relativePath: string): void {
    const existing = this.#entriesAt(path.dirname(relativePath)).get(path.basename(relativePath));
    if (existing === undefined) this.#link(call, relativePath, this.#newInode('file'));
    else if (call.args.some((arg) => arg.includes('O_TRUNC')))
      this.#record(call, { type: 'truncate', inode: existing, bytes: 0 });
  }

  #rename(call: SystemCall, from: string, to: string): void {
    const inode = this.#find(from);
    if (path.dirname(from) !== path.dirname(to)) {
      this.#link(call, to, inode);
      this.#link(call, from, undefined);
      return;
    }
    const entries = new Map([
      [path.basename(from), undefined],
      [path.basename(to), inode],
    ]);
    this.#change(call, path.dirname(to), entries);
  }

  #link(call: SystemCall, relativePath: string, inode: Inode | undefined): void {
    this.#change(call, path.dirname(relativePath), new Map([[path.basename(relativePath), inode]]));
  }

  #change(call: SystemCall, folder: string, entries: ReadonlyMap<string, Inode | undefined>): void {
    const names = this.#entriesAt(folder);
    for (const [name, inode] of entries) {
      if (inode === undefined) names.delete(name);
      else names.set(name, inode);
    }
    this.#record(call, { type: 'entries', inode: this.#find(folder), entries });
  }

  #record({ startedAt, endedAt }: SystemCall, effect: Change | Sync): void {
    this.operations.push({ effect, startedAt, endedAt });
  }

  #newInode(type: Inode['type']): Inode {
    const inode: Inode = { id: this.#inodes++, type };
    if (type === 'folder') this.#entries.set(inode, new Map());
    return inode;
  }

  #find(relativePath: string): Inode {
    if (relativePath === '' || relativePath === '.') return this.root;
    const inode = this.#entriesAt(path.dirname(relativePath)).get(path.basename(relativePath));
    if (inode === undefined) throw new Error(`the trace uses ${relativePath} before it is created`);
    return inode;
  }

  #entriesAt(folder: string): Map<string, Inode> {
    const entries = this.#entries.get(this.#find(folder));
    if (entries === undefined)
      throw new Error(`the trace uses ${folder} as a folder, but it is not a folder`);
    return entries;
  }
}

function isCreating({ name, args }: SystemCall): boolean {
  return name === 'creat' || args.some((arg) => arg.includes('O_CREAT'));
}
