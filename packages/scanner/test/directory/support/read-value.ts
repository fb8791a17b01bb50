import assert from 'node:assert/strict';
import type { Read, ReadProblem } from '../../../src/directory/read.ts';

/** The value of a read that must have succeeded. */
export function readValue<Value>(result: Read<Value>): Value {
  assert.ok(result.kind === 'read', `unread: ${JSON.stringify(result)}`);
  return result.value;
}

/** The problem of a read that must have failed. */
export function problemOf(result: Read<unknown>): ReadProblem {
  assert.ok(result.kind === 'unread', 'the read succeeded');
  return result.problem;
}
