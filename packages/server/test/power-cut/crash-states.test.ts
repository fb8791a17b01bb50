import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CrashModel, type Tree } from './crash-states.ts';
import type { Change, DiskOperation, Inode, Sync } from './disk-operation.ts';

const root: Inode = { id: 0, type: 'folder' };
const folder: Inode = { id: 1, type: 'folder' };
const file: Inode = { id: 2, type: 'file' };
const other: Inode = { id: 3, type: 'file' };

const entry = (inode: Inode, name: string, target?: Inode): Change => ({
  type: 'entries',
  inode,
  entries: new Map([[name, target]]),
});
const write = (offset: number, text: string, inode = file): Change => ({
  type: 'write',
  inode,
  offset,
  bytes: Buffer.from(text),
});
const sync = (inode: Inode): Sync => ({ type: 'sync', inode });

/** Sequential operations: each starts at an even moment and ends at the next odd moment. */
function sequence(...effects: readonly (Change | Sync)[]): DiskOperation[] {
  return effects.map((effect, at) => ({ effect, startedAt: 2 * at, endedAt: 2 * at + 1 }));
}

/** Returns all possible states at a moment, by default at the end. NUL bytes are shown as `0`. */
function statesOf(operations: readonly DiskOperation[], moment = 2 * operations.length): string[] {
  const model = new CrashModel(root, operations);
  return [...new Set([...model.statesAt(moment)].map(({ tree }) => describeTree(tree())))].sort();
}

function describeTree(tree: Tree): string {
  const paths = [...tree].map(([path, content]) =>
    content === undefined ? `${path}/` : `${path}=${content.toString().replaceAll('\0', '0')}`,
  );
  return paths.join(' ');
}

describe('the crash model', () => {
  it('keeps the complete file in every crash state if the file and its folder were flushed', () => {
    assert.deepEqual(statesOf(sequence(entry(root, 'a', file), write(0, 'data'), sync(file), sync(root))), [
      'a=data',
    ]);
  });

  it('includes a crash state without the file if only the content of the file was flushed', () => {
    assert.deepEqual(statesOf(sequence(entry(root, 'a', file), write(0, 'data'), sync(file))), [
      '',
      'a=data',
    ]);
  });

  it('includes crash states with all, half or none of the unflushed content, and with zeros in its place', () => {
    assert.deepEqual(statesOf(sequence(entry(root, 'a', file), write(0, 'data'), sync(root))), [
      'a=',
      'a=0000',
      'a=da',
      'a=data',
    ]);
  });

  it('includes crash states in which any one of several unflushed writes was lost', () => {
    const states = statesOf(
      sequence(entry(root, 'a', file), sync(root), write(0, 'ab'), write(2, 'cd'), write(4, 'ef')),
    );
    for (const state of [
      'a=',
      'a=ab',
      'a=abc',
      'a=abcd',
      'a=ab00ef',
      'a=abcd00',
      'a=00cdef',
      'a=000000',
      'a=abcdef',
    ])
      assert.ok(states.includes(state), `${state} is not among ${states.join(', ')}`);
  });

  it('keeps the writes before a file flush in every crash state, but not all later writes', () => {
    const states = statesOf(
      sequence(entry(root, 'a', file), sync(root), write(0, 'ab'), sync(file), write(2, 'cd')),
    );
    assert.deepEqual(states, ['a=ab', 'a=ab00', 'a=abc', 'a=abcd']);
  });

  it('ignores a flush that started before the write ended, or that has not ended', () => {
    const before = sequence(entry(root, 'a', file), sync(root));
    const overlapping = [
      { effect: write(0, 'ab'), startedAt: 10, endedAt: 13 },
      { effect: sync(file), startedAt: 12, endedAt: 14 },
    ];
    const unfinished = [
      { effect: write(0, 'ab'), startedAt: 10, endedAt: 11 },
      { effect: sync(file), startedAt: 12, endedAt: 30 },
    ];
    for (const operations of [overlapping, unfinished])
      assert.deepEqual(statesOf([...before, ...operations], 20), ['a=', 'a=00', 'a=a', 'a=ab']);
    assert.deepEqual(statesOf([...before, ...unfinished], 31), ['a=ab']);
  });

  it('includes crash states with operations that have started, but not with later operations', () => {
    const operations = sequence(entry(root, 'a', file), sync(root), entry(root, 'b', other), sync(root));
    assert.deepEqual(statesOf(operations, 4), ['a=']);
    assert.deepEqual(statesOf(operations, 5), ['a=', 'a= b=']);
  });

  it('includes a crash state without a folder if only the content of the folder was flushed', () => {
    const created = [
      entry(root, 'f', folder),
      entry(folder, 'a', file),
      write(0, 'data'),
      sync(file),
      sync(folder),
    ];
    assert.deepEqual(statesOf(sequence(...created)), ['', 'f/ f/a=data']);
    assert.deepEqual(statesOf(sequence(...created, sync(root))), ['f/ f/a=data']);
  });

  it('includes crash states with any combination of unflushed file removals and creations', () => {
    const operations = sequence(
      entry(root, 'a', file),
      sync(root),
      entry(root, 'a'),
      entry(root, 'b', other),
    );
    assert.deepEqual(statesOf(operations), ['', 'a=', 'a= b=', 'b=']);
  });

  it('keeps a renamed file under its old or new name in every crash state, possibly without unflushed content', () => {
    const rename: Change = {
      type: 'entries',
      inode: root,
      entries: new Map([
        ['new', undefined],
        ['a', other],
      ]),
    };
    const older = [
      entry(root, 'a', file),
      write(0, 'old'),
      sync(file),
      entry(root, 'new', other),
      sync(root),
    ];
    assert.deepEqual(statesOf(sequence(...older, write(0, 'data', other), rename)), [
      ...['a=', 'a=0000', 'a=da', 'a=data'],
      ...['a=old new=', 'a=old new=0000', 'a=old new=da', 'a=old new=data'],
    ]);
    assert.deepEqual(statesOf(sequence(...older, write(0, 'data', other), sync(other), rename)), [
      'a=data',
      'a=old new=data',
    ]);
  });

  it('includes crash states with any prefix of many folder changes, any single change, or all but one of the changes', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const created = names.map((name, at) => entry(root, name, { id: 10 + at, type: 'folder' }));
    const states = statesOf(sequence(...created)).map((state) => state.replaceAll(/[/ ]/g, ''));
    assert.deepEqual(
      states.sort(),
      [
        ...names.map((_, count) => names.slice(0, count).join('')),
        ...names.slice(1),
        ...names.map((name) => names.join('').replace(name, '')).slice(0, -1),
        names.join(''),
      ].sort(),
    );
  });

  it('assigns the same ID to crash states at different times only if their contents are identical', () => {
    const model = new CrashModel(root, sequence(entry(root, 'a', file), write(0, 'data')));
    const contents = new Map<string, string>();
    for (const moment of [1, 2, 3, 4])
      for (const { id, tree } of model.statesAt(moment)) {
        assert.equal(contents.get(id) ?? describeTree(tree()), describeTree(tree()));
        contents.set(id, describeTree(tree()));
      }
    assert.deepEqual([...new Set(contents.values())].sort(), ['', 'a=', 'a=0000', 'a=da', 'a=data']);
  });
});
