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

/** One after the other: each begins at an even moment and ends at the odd one behind it. */
function inTurn(...effects: readonly (Change | Sync)[]): DiskOperation[] {
  return effects.map((effect, at) => ({ effect, beganAt: 2 * at, endedAt: 2 * at + 1 }));
}

/** All that can be left at a moment, by default at the end; zeros are shown as `0`. */
function statesOf(operations: readonly DiskOperation[], moment = 2 * operations.length): string[] {
  const model = new CrashModel(root, operations);
  return [...new Set([...model.statesAt(moment)].map(({ tree }) => describeTree(tree())))].sort();
}

function describeTree(tree: Tree): string {
  const places = [...tree].map(([place, content]) =>
    content === undefined ? `${place}/` : `${place}=${content.toString().replaceAll('\0', '0')}`,
  );
  return places.join(' ');
}

describe('what a power cut can leave', () => {
  it('is a whole file where the file and its folder were flushed', () => {
    assert.deepEqual(statesOf(inTurn(entry(root, 'a', file), write(0, 'data'), sync(file), sync(root))), [
      'a=data',
    ]);
  });

  it('is no file where only its content was flushed', () => {
    assert.deepEqual(statesOf(inTurn(entry(root, 'a', file), write(0, 'data'), sync(file))), ['', 'a=data']);
  });

  it('is nothing, a half, zeros or all of a content that was not flushed', () => {
    assert.deepEqual(statesOf(inTurn(entry(root, 'a', file), write(0, 'data'), sync(root))), [
      'a=',
      'a=0000',
      'a=da',
      'a=data',
    ]);
  });

  it('may lack any one of several writes, the size of the later ones apart', () => {
    const left = statesOf(
      inTurn(entry(root, 'a', file), sync(root), write(0, 'ab'), write(2, 'cd'), write(4, 'ef')),
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
      assert.ok(left.includes(state), `${state} is not in ${left.join(', ')}`);
  });

  it('keeps what was written before the flush of a file, and not what was written after it', () => {
    const left = statesOf(
      inTurn(entry(root, 'a', file), sync(root), write(0, 'ab'), sync(file), write(2, 'cd')),
    );
    assert.deepEqual(left, ['a=ab', 'a=ab00', 'a=abc', 'a=abcd']);
  });

  it('keeps nothing for a flush that began before the write ended, or has not ended', () => {
    const before = inTurn(entry(root, 'a', file), sync(root));
    const atOnce = [
      { effect: write(0, 'ab'), beganAt: 10, endedAt: 13 },
      { effect: sync(file), beganAt: 12, endedAt: 14 },
    ];
    const unfinished = [
      { effect: write(0, 'ab'), beganAt: 10, endedAt: 11 },
      { effect: sync(file), beganAt: 12, endedAt: 30 },
    ];
    for (const operations of [atOnce, unfinished])
      assert.deepEqual(statesOf([...before, ...operations], 20), ['a=', 'a=00', 'a=a', 'a=ab']);
    assert.deepEqual(statesOf([...before, ...unfinished], 31), ['a=ab']);
  });

  it('may have what has begun, and never what has not', () => {
    const operations = inTurn(entry(root, 'a', file), sync(root), entry(root, 'b', other), sync(root));
    assert.deepEqual(statesOf(operations, 4), ['a=']);
    assert.deepEqual(statesOf(operations, 5), ['a=', 'a= b=']);
  });

  it('is nothing of a folder whose own name was not flushed, whatever was flushed in it', () => {
    const made = [
      entry(root, 'f', folder),
      entry(folder, 'a', file),
      write(0, 'data'),
      sync(file),
      sync(folder),
    ];
    assert.deepEqual(statesOf(inTurn(...made)), ['', 'f/ f/a=data']);
    assert.deepEqual(statesOf(inTurn(...made, sync(root))), ['f/ f/a=data']);
  });

  it('has a removed file again, and a new one not yet, in any combination', () => {
    const operations = inTurn(entry(root, 'a', file), sync(root), entry(root, 'a'), entry(root, 'b', other));
    assert.deepEqual(statesOf(operations), ['', 'a=', 'a= b=', 'b=']);
  });

  it('has a renamed file under one of its names, and in place of an older one also before its content', () => {
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
    assert.deepEqual(statesOf(inTurn(...older, write(0, 'data', other), rename)), [
      ...['a=', 'a=0000', 'a=da', 'a=data'],
      ...['a=old new=', 'a=old new=0000', 'a=old new=da', 'a=old new=data'],
    ]);
    assert.deepEqual(statesOf(inTurn(...older, write(0, 'data', other), sync(other), rename)), [
      'a=data',
      'a=old new=data',
    ]);
  });

  it('is cut to any number of changes of folders, and lacks or has any single one, where they are many', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const made = names.map((name, at) => entry(root, name, { id: 10 + at, type: 'folder' }));
    const left = statesOf(inTurn(...made)).map((state) => state.replaceAll(/[/ ]/g, ''));
    assert.deepEqual(
      left.sort(),
      [
        ...names.map((_, count) => names.slice(0, count).join('')),
        ...names.slice(1),
        ...names.map((name) => names.join('').replace(name, '')).slice(0, -1),
        names.join(''),
      ].sort(),
    );
  });

  it('is the same state at two moments only where it is left with the same', () => {
    const model = new CrashModel(root, inTurn(entry(root, 'a', file), write(0, 'data')));
    const left = new Map<string, string>();
    for (const moment of [1, 2, 3, 4])
      for (const { id, tree } of model.statesAt(moment)) {
        assert.equal(left.get(id) ?? describeTree(tree()), describeTree(tree()));
        left.set(id, describeTree(tree()));
      }
    assert.deepEqual([...new Set(left.values())].sort(), ['', 'a=', 'a=0000', 'a=da', 'a=data']);
  });
});
