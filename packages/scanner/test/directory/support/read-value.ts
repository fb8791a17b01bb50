import assert from 'node:assert/strict';
import type { Read, ReadProblem } from '../../../src/directory/read-result.ts';

/** Returns the value of a read. Fails if the read failed. */
export function readValue<Value>(result: Read<Value>): Value {
  assert.ok(result.kind === 'read', `unread: ${JSON.stringify(result)}`);
  return result.value;
}

/** Returns the problem of a read. Fails if the read succeeded. */
export function problemOf(result: Read<unknown>): ReadProblem {
  assert.ok(result.kind === 'unread', 'the read succeeded');
  return result.problem;
}
