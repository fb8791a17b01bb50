import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BoundedMap } from '../../src/lib/bounded-map.ts';

it('a bounded map never has more entries than its maximum', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
  map.set('c', 4);
  assert.deepEqual([...map], [['c', 4]]);
});
