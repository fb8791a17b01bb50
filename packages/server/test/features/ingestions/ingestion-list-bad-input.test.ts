import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { itRefusesQueries, type WrongQuery } from '../../support/wrong-queries.ts';

const WRONG: readonly WrongQuery[] = [
  ['an unknown parameter', 'limit=10', 'limit'],
  ['an unsupported JSON:API parameter', 'include=errors', 'include'],
  ['a parameter name in the wrong case', 'Sort=inserted_at', 'Sort'],
  ['a parameter named after a built-in object property', '__proto__=1', '__proto__'],
  ['an unknown page parameter', 'page[cursor]=1', 'page[cursor]'],
  ['an unknown filter', 'filter[file_name]=a', 'filter[file_name]'],
  ['a filter named after a built-in object property', 'filter[constructor]=a', 'filter[constructor]'],
  ['an unsupported filter operator', 'filter[status__gte]=pending', 'filter[status__gte]'],
  ['a filter without a name', 'filter[]=a', 'filter[]'],
  ['an unknown sort key', 'sort=inserted_at,status', 'sort'],
  ['a sort key named after a built-in object property', 'sort=constructor', 'sort'],
  ['an empty sort parameter', 'sort=', 'sort'],
  ['SQL as a sort key', 'sort=inserted_at;drop%20table%20ingestions', 'sort'],
  ['a sort key with two minus signs', 'sort=--inserted_at', 'sort'],
  ['an unknown field', 'fields[ingestions]=status,file_name', 'fields[ingestions]'],
  ['fields of an unknown type', 'fields[findings]=status', 'fields[findings]'],
  ['an unknown status', 'filter[status]=done', 'filter[status]'],
  ['a status in the wrong case', 'filter[status]=Pending', 'filter[status]'],
  ['an empty status', 'filter[status]=', 'filter[status]'],
  ['a list with an unknown status', 'filter[status__in]=pending,done', 'filter[status__in]'],
  ['a list with an empty status', 'filter[status__in]=pending,', 'filter[status__in]'],
  ['a nonexistent date', 'filter[inserted_at]=2026-02-30', 'filter[inserted_at]'],
  ['February 29 of a non-leap year', 'filter[completed_at]=2026-02-29', 'filter[completed_at]'],
  ['a nonexistent month', 'filter[completed_at__gte]=2026-13-01', 'filter[completed_at__gte]'],
  ['the year 0', 'filter[inserted_at]=0000-01-01', 'filter[inserted_at]'],
  ['a time instead of a date', 'filter[inserted_at]=2026-01-31T00:00:00Z', 'filter[inserted_at]'],
  ['a month with one digit', 'filter[inserted_at__lte]=2026-1-31', 'filter[inserted_at__lte]'],
  ['a word instead of a date', 'filter[inserted_at]=infinity', 'filter[inserted_at]'],
  ['page 0', 'page[number]=0', 'page[number]'],
  ['page -1', 'page[number]=-1', 'page[number]'],
  ['page 1.5', 'page[number]=1.5', 'page[number]'],
  ['a 30-digit page number', `page[number]=${'9'.repeat(30)}`, 'page[number]'],
  ['an empty page number', 'page[number]=', 'page[number]'],
  ['page size 0', 'page[size]=0', 'page[size]'],
  ['a page size over the limit', 'page[size]=1001', 'page[size]'],
  ['page size 1000000000', 'page[size]=1000000000', 'page[size]'],
  ['a page size of 1e9', 'page[size]=1e9', 'page[size]'],
  ['a page size that is not a number', 'page[size]=abc', 'page[size]'],
  ['a page size with fullwidth digits', `page[size]=${encodeURIComponent('１０')}`, 'page[size]'],
  ['a duplicate parameter', 'page[size]=1&page[size]=2', 'page[size]'],
  ['a duplicate filter', 'filter[search]=a&filter[search]=a', 'filter[search]'],
  ['a value with U+0000', 'filter[search]=a%00b', 'filter[search]'],
  ['a parameter name with U+0000', 'filter[%00]=a', 'filter[\0]'],
  ['a value with malformed percent-encoding', 'filter[search]=%zz', 'filter[search]'],
  ['a value with truncated percent-encoding', 'filter[search]=%e', 'filter[search]'],
  ['a value that is not valid UTF-8', 'filter[search]=%ff', 'filter[search]'],
  ['a parameter name with malformed percent-encoding', 'filter%zz=a', 'filter%zz'],
];

describe('invalid queries to the ingestions list', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  itRefusesQueries('/ingestions', () => client, WRONG);

  it('returns a JSON:API error for a 100 KB query string', async () => {
    const { status, body } = await client.get(`/ingestions?filter[search]=${'a'.repeat(100_000)}`);
    assert.equal(status, 431);
    assert.deepEqual([body.errors.length, body.errors[0]?.status, body.meta.version], [1, '431', 'v1']);
  });

  it('accepts unusual but valid queries to the ingestions list', async () => {
    for (const query of [
      '',
      '&&',
      `filter[search]=${'a'.repeat(10_000)}`,
      'filter[search]=a=b',
      'filter%5Bsearch%5D=%F0%9F%98%80',
      'page%5Bsize%5D=1',
      'sort=inserted_at,-inserted_at,inserted_at',
    ]) {
      const { status } = await client.get(`/ingestions?${query}`);
      assert.equal(status, 200, query.slice(0, 50));
    }
  });

  it('logs no errors for invalid queries to the ingestions list', async () => {
    assert.equal(service.output.stderr, '');
    assert.equal((await client.get('/ingestions')).status, 200);
  });
});
