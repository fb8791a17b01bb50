import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextCursor } from '../../src/directory/next-cursor.ts';

const PAGE_URL = new URL('https://example.directory.com/api/v1/apps?limit=200');
const cursor = (header: string | null) => nextCursor(header, PAGE_URL);

for (const [description, header, expected] of [
  ['no header', null, undefined],
  ['an empty header', '', undefined],
  ['only a link to the page itself', '<https://x.test/a?after=1>; rel="self"', undefined],
  [
    'self before next',
    '<https://x.test/a>; rel="self", <https://x.test/a?after=abc&limit=2>; rel="next"',
    'abc',
  ],
  ['next before self', '<https://x.test/a?after=abc>; rel="next", <https://x.test/a>; rel="self"', 'abc'],
  ['a comma and a semicolon in the URL', '<https://x.test/a?q=1,2;3&after=20,0oa1>; rel="next"', '20,0oa1'],
  ['an encoded cursor', '<https://x.test/a?after=a%2Fb%3D%3D>; rel="next"', 'a/b=='],
  ['rel without quotes', '<https://x.test/a?after=1>; rel=next', '1'],
  [
    'an uppercase relation type and other parameters',
    '<https://x.test/a?after=1>; title="a, b"; rel="last NEXT"',
    '1',
  ],
  ['a relative URL', '</api/v1/apps?after=1>; rel="next"', '1'],
  ['a relation type that contains the word next', '<https://x.test/a?after=1>; rel="nextish"', undefined],
  ['a next page without a cursor', '<https://x.test/a>; rel="next"', null],
  ['a next page with an empty cursor', '<https://x.test/a?after=>; rel="next"', null],
] as const)
  test(`returns the next cursor ${expected} for ${description}`, () => {
    assert.equal(cursor(header), expected);
  });
