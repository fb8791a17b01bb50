import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLabel } from '../../src/lib/search-values.ts';

describe('parseLabel', () => {
  it('returns labels whose value contains commas and equals signs', () => {
    for (const label of [
      'branch=main',
      '0/a.b_c-d==',
      'note=a, b = c',
      `${'k'.repeat(63)}=${'v'.repeat(1024)}`,
    ])
      assert.equal(parseLabel(label), label);
  });

  it('ignores texts that the API rejects or reads as several labels', () => {
    const invalid = ['', 'branch', '=main', '-branch=main', 'branch=', 'branch= \u00a0', 'branch=\u200b'];
    const lines = ['branch=a\nb', 'branch=\0', 'branch=a\u2028b', 'branch=\ufffd'];
    const long = [`${'k'.repeat(64)}=v`, `k=${'v'.repeat(1025)}`];
    for (const text of [undefined, ...invalid, ...lines, ...long, 'branch=main,commit=4f2a91c', 'a=1,a=2'])
      assert.equal(parseLabel(text), undefined, text);
  });
});
