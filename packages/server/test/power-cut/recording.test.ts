import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acknowledgmentsIn } from './acknowledgments.ts';
import { CrashModel } from './crash-states.ts';
import { recordingOf } from './recording.ts';
import { readSystemCalls } from './system-calls.ts';

/** A string in the format of `strace -xx`. */
const hex = (text: string) => `"${Buffer.from(text).toString('hex').replaceAll(/../g, '\\x$&')}"`;
const open = (file: string, flags: string, result: number) =>
  `openat(AT_FDCWD, ${hex(file)}, ${flags}) = ${result}`;
const CREATE = 'O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0600';

/** Returns the recording of these calls. Lines without a thread ID belong to one thread. */
function recorded(...lines: readonly string[]) {
  const trace = lines.map((line) => (/^\d/.test(line) ? line : `7 ${line}`)).join('\n');
  return recordingOf(readSystemCalls(`${trace}\n`), '/blobs');
}

function contentOf(recording: ReturnType<typeof recorded>): Record<string, string | undefined> {
  const tree = new CrashModel(recording.root, recording.operations).finalTree();
  return Object.fromEntries([...tree].map(([place, content]) => [place, content?.toString()]));
}

const effectsOf = ({ operations }: ReturnType<typeof recorded>) =>
  operations.map(({ effect: { type, inode } }) => `${type} ${inode.id}`);

describe('recording system calls', () => {
  it('records writes at any position in a file', () => {
    const recording = recorded(
      `mkdir(${hex('/blobs/day')}, 0700) = 0`,
      open('/blobs/day/a', CREATE, 5),
      `write(5, ${hex('abcd')}, 4) = 3`,
      `writev(5, [{iov_base=${hex('de')}, iov_len=2}, {iov_base=${hex('f')}, iov_len=1}], 2) = 3`,
      `pwrite64(5, ${hex('B')}, 1, 1) = 1`,
      'ftruncate(5, 5) = 0',
      'fsync(5) = 0',
      'close(5) = 0',
      open('/blobs/day', 'O_RDONLY|O_CLOEXEC', 5),
      'fsync(5) = 0',
    );
    assert.deepEqual(contentOf(recording), { day: undefined, 'day/a': 'aBcde' });
    assert.deepEqual(effectsOf(recording), [
      ...['entries 0', 'entries 1', 'write 2', 'write 2', 'write 2', 'truncate 2', 'sync 2', 'sync 1'],
    ]);
  });

  it('records renames and removals of files and folders', () => {
    const recording = recorded(
      `mkdir(${hex('/blobs/day')}, 0700) = 0`,
      open('/blobs/a.part', CREATE, 5),
      `write(5, ${hex('data')}, 4) = 4`,
      `rename(${hex('/blobs/a.part')}, ${hex('/blobs/a')}) = 0`,
      `rename(${hex('/blobs/a')}, ${hex('/blobs/day/a')}) = 0`,
      open('/blobs/b', CREATE, 6),
      `unlink(${hex('/blobs/b')}) = 0`,
      `mkdir(${hex('/blobs/old')}, 0700) = 0`,
      `rmdir(${hex('/blobs/old')}) = 0`,
    );
    assert.deepEqual(contentOf(recording), { day: undefined, 'day/a': 'data' });
  });

  it('ignores failed calls and other files, even if descriptors are reused', () => {
    const recording = recorded(
      open('/blobs/a', CREATE, 5),
      'close(5) = 0',
      open('/elsewhere', CREATE, 5),
      open('/blobs-too', CREATE, 6),
      `write(5, ${hex('data')}, 4) = 4`,
      'fsync(5) = 0',
      `mkdir(${hex('/blobs/a')}, 0700) = -1 EEXIST (File exists)`,
      `openat(AT_FDCWD, ${hex('/blobs/b')}, ${CREATE}) = -1 ENOENT (No such file or directory)`,
    );
    assert.deepEqual(contentOf(recording), { a: '' });
    assert.deepEqual(effectsOf(recording), ['entries 0']);
  });

  it('records the start and end of calls from several threads, including an interrupted call', () => {
    const { operations } = recorded(
      open('/blobs/a', CREATE, 5),
      `1 write(5, ${hex('data')}, 4 <unfinished ...>`,
      '2 fsync(5 <unfinished ...>',
      '1 <... write resumed>) = 4',
      '2 <... fsync resumed>) = 0',
      '--- SIGTERM {si_signo=SIGTERM} ---',
      `1 write(5, ${hex('more')}, 4 <unfinished ...>`,
      '1 +++ killed by SIGKILL +++',
    );
    assert.deepEqual(
      operations.map(({ effect: { type }, startedAt, endedAt }) => [type, startedAt, endedAt]),
      [
        ['entries', 0, 0],
        ['write', 1, 3],
        ['sync', 2, 4],
        ['write', 6, Infinity],
      ],
    );
  });

  it('records a file that is used before the call that creates its folder has returned', () => {
    const recording = recorded(
      `1 mkdir(${hex('/blobs/day')}, 0700 <unfinished ...>`,
      `2 openat(AT_FDCWD, ${hex('/blobs/day/a')}, ${CREATE}) = 5`,
      '1 <... mkdir resumed>) = 0',
      '1 close(5 <unfinished ...>',
      `2 openat(AT_FDCWD, ${hex('/blobs/day/b')}, ${CREATE}) = 5`,
      '1 <... close resumed>) = 0',
      `2 write(5, ${hex('data')}, 4) = 4`,
    );
    assert.deepEqual(contentOf(recording), { day: undefined, 'day/a': '', 'day/b': 'data' });
  });

  for (const [description, ...lines] of [
    ['an unsupported call', `link(${hex('/blobs/a')}, ${hex('/blobs/b')}) = 0`],
    ['an unsupported call on an open file', open('/blobs/a', CREATE, 5), 'dup(5) = 6'],
    ['a truncated string', open('/blobs/a', CREATE, 5), `write(5, ${hex('da')}..., 4) = 4`],
    ['a file that was not created', open('/blobs/a', 'O_WRONLY', 5)],
    ['a line that is not a system call', 'strace: Process 7 attached'],
  ] as const) {
    it(`rejects a recording with ${description}`, () => {
      assert.throws(() => recorded(...lines), Error);
    });
  }

  it('records when each 202 response was sent', () => {
    const head = `HTTP/1.1 202 Accepted\r\nLocation: http://127.0.0.1/api/v1/ingestions/one\r\n\r\n`;
    const calls = readSystemCalls(
      [
        `7 write(5, ${hex('HTTP/1.1 200 OK\r\n\r\n')}, 19) = 19`,
        `7 writev(5, [{iov_base=${hex(head)}, iov_len=80}, {iov_base=${hex('{}')}, iov_len=2}], 2) = 82`,
      ].join('\n'),
    );
    assert.deepEqual(acknowledgmentsIn(calls), [{ ingestionId: 'one', moment: 1 }]);
  });
});
