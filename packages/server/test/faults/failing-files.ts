// Preloaded (`--import`) into a process whose blob store is a folder. Makes the n-th operation on blob store files
// fail, in any thread, without changes to the service.
import files, { type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { json } from 'node:stream/consumers';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { Armed } from '../support/fault-point.ts';
import {
  FILE_FAULTS,
  type FileFault,
  FOLDER,
  isApplicable,
  OPERATIONS,
  type Operation,
  SOCKET,
} from './file-faults.ts';

const SHARED = 'failing files';
const [CALLS, ARMED_AT, FAULT, FAILED] = [0, 1, 2, 3];
if (isMainThread) setEnvironmentData(SHARED, new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
const shared: unknown = getEnvironmentData(SHARED);
if (!(shared instanceof SharedArrayBuffer)) throw new TypeError('the threads do not share memory');
const numbers = new Int32Array(shared);

/** Starts counting operations, and makes the n-th operation fail (0: no operation). */
export function armFiles(n: number, fault: FileFault): void {
  Atomics.store(numbers, CALLS, 0);
  Atomics.store(numbers, FAILED, -1);
  Atomics.store(numbers, FAULT, FILE_FAULTS.indexOf(fault));
  Atomics.store(numbers, ARMED_AT, n === 0 ? 2 ** 31 - 1 : n);
}

export function disarmFiles(): Armed {
  Atomics.store(numbers, ARMED_AT, 0);
  const fault = FILE_FAULTS[Atomics.load(numbers, FAULT)];
  const failed = OPERATIONS[Atomics.load(numbers, FAILED)];
  return {
    calls: Atomics.load(numbers, CALLS),
    failed: failed === undefined ? undefined : `${failed} (${fault})`,
  };
}

/** Counts the operation and returns the fault to inject, if this is the n-th operation. */
function nextFault(path: unknown, operation: Operation): FileFault | undefined {
  const folder = process.env[FOLDER];
  const armedAt = Atomics.load(numbers, ARMED_AT);
  const fault = FILE_FAULTS[Atomics.load(numbers, FAULT)];
  if (folder === undefined || fault === undefined || armedAt === 0) return undefined;
  if (!String(path).startsWith(folder) || !isApplicable(fault, operation)) return undefined;
  if (Atomics.add(numbers, CALLS, 1) + 1 !== armedAt) return undefined;
  Atomics.store(numbers, FAILED, OPERATIONS.indexOf(operation));
  return fault;
}

async function orFail<Result>(
  path: unknown,
  operation: Operation,
  work: () => Promise<Result>,
): Promise<Result> {
  const fault = nextFault(path, operation);
  // A close releases the descriptor even if it fails.
  if (fault === undefined || fault === 'late' || operation === 'close') {
    const result = await work();
    if (fault === undefined) return result;
    // The caller never receives the file handle, so it is closed here.
    if (operation === 'open' || operation === 'opendir')
      await Reflect.get(Object(result), 'close').call(result);
  }
  throw errorOf(fault === 'ENOSPC' ? 'ENOSPC' : 'EIO', operation);
}

function errorOf(code: string, operation: Operation): Error {
  return Object.assign(new Error(`${code}: an injected fault, ${operation}`), { code, syscall: operation });
}

const { access, mkdir, open, opendir, rm, rmdir, stat } = files;

async function openFailing(...args: Parameters<typeof open>): Promise<FileHandle> {
  const [path, flags] = args;
  const handle = await orFail(path, 'open', () => open(...args));
  const { read, write, sync, close } = handle;
  const bound = <Args extends unknown[], Result>(
    operation: Operation,
    work: (...args: Args) => Promise<Result>,
  ) => ({
    value: (...args: Args) => orFail(path, operation, () => Reflect.apply(work, handle, args)),
  });
  return Object.defineProperties(handle, {
    read: bound('read', read),
    sync: bound(flags === 'r' ? 'sync folder' : 'sync', sync),
    close: bound('close', close),
    write: {
      value: async (bytes: Uint8Array, offset = 0) => {
        const fault = nextFault(path, 'write');
        const all = bytes.subarray(offset);
        const accepted = fault === 'ENOSPC' || fault === 'short' ? all.subarray(0, all.length / 2) : all;
        if (fault === 'EIO') throw errorOf('EIO', 'write');
        const written: unknown = await Reflect.apply(write, handle, [accepted]);
        if (fault !== undefined && fault !== 'short')
          throw errorOf(fault === 'late' ? 'EIO' : fault, 'write');
        return written;
      },
    },
  });
}

Object.assign(files, {
  access: (...args: Parameters<typeof access>) => orFail(args[0], 'access', () => access(...args)),
  mkdir: (...args: Parameters<typeof mkdir>) => orFail(args[0], 'mkdir', () => mkdir(...args)),
  open: openFailing,
  opendir: (...args: Parameters<typeof opendir>) => orFail(args[0], 'opendir', () => opendir(...args)),
  rm: (...args: Parameters<typeof rm>) => orFail(args[0], 'rm', () => rm(...args)),
  rmdir: (...args: Parameters<typeof rmdir>) => orFail(args[0], 'rmdir', () => rmdir(...args)),
  stat: (...args: Parameters<typeof stat>) => orFail(args[0], 'stat', () => stat(...args)),
});
syncBuiltinESMExports();

const socket = process.env[SOCKET];
if (isMainThread && socket !== undefined) {
  createServer((request, response) => {
    void (async () => {
      if (request.method === 'POST') {
        const { n, fault } = Object(await json(request));
        armFiles(n, fault);
      }
      response.end(JSON.stringify(request.method === 'DELETE' ? disarmFiles() : {}));
    })();
  })
    .listen(socket)
    .unref();
}
