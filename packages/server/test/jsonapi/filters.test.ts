import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { ApiError } from '../../src/jsonapi/errors.ts';
import {
  type Condition,
  dateFilters,
  enumFilters,
  equalityFilters,
  type Filters,
  likePattern,
  searchFilter,
  withCountsSql,
} from '../../src/jsonapi/filters.ts';

const FILTERS: Filters = {
  ...enumFilters('status', 'things.status', ['PASS', 'FAIL'], 'thing_status'),
  ...equalityFilters('owner', 'things.owner_id', z.uuid(), 'uuid'),
  ...equalityFilters('region', 'things.region', z.string(), 'text'),
  ...dateFilters('seen_at', 'things.seen_at'),
  search: searchFilter('Only resources that contain this text', ['things.name', 'things.uid']),
};

const UUID = '0190b0a4-2b6f-7a3e-9c55-0d3e6f1f8a10';

function read(name: string, text: string): Condition {
  const filter = FILTERS[name];
  assert.ok(filter);
  return filter.read(text, `filter[${name}]`);
}

/** Returns the SQL and its values. Parameters start at $2, because $1 is the tenant. */
function render({ sql }: Condition): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value) + 1}`;
  return { sql: sql(bind, '$1'), values };
}

/** Returns the detail of the 400 response for a value. */
function rejection(name: string, text: string): string {
  try {
    read(name, text);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 400);
    assert.deepEqual(error.source, { parameter: `filter[${name}]` });
    return error.message;
  }
  assert.fail(`filter[${name}] accepts '${text}'`);
}

describe('list filters', () => {
  it('binds every filter value as a parameter and never embeds it in SQL', () => {
    const sql = render(read('region', 'eu')).sql;
    const searchSql = render(read('search', 'x')).sql;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(render(read('region', text)), { sql, values: [text] });
        assert.deepEqual(render(read('search', text)), { sql: searchSql, values: [likePattern(text)] });
      }),
    );
    assert.equal(sql, 'things.region = $2::text');
    assert.equal(searchSql, '(things.name ilike $2 or things.uid ilike $2)');
  });

  it('accepts comma-separated values in __in filters, with or without spaces', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (values) => {
        const expected = { sql: 'things.region = any($2::text[])', values: [values] };
        assert.deepEqual(render(read('region__in', values.join(','))), expected);
        assert.deepEqual(render(read('region__in', values.join(' , '))), expected);
      }),
    );
  });

  it('accepts only exact values in an enumerated filter, and lists the valid values in the error', () => {
    assert.deepEqual(render(read('status', 'FAIL')), {
      sql: 'things.status = $2::thing_status',
      values: ['FAIL'],
    });
    for (const [name, text, wrong] of [
      ['status', 'fail', 'fail'],
      ['status', '', ''],
      ['status', 'PASS,FAIL', 'PASS,FAIL'],
      ['status__in', 'PASS,MAYBE', 'MAYBE'],
      ['status__in', 'PASS,', ''],
    ] as const) {
      const detail = rejection(name, text);
      assert.equal(detail, `'${wrong}' is not a valid value. Valid values are 'PASS', 'FAIL'.`);
    }
  });

  it('accepts only UUIDs, in either case, for an ID filter', () => {
    for (const id of [UUID, UUID.toUpperCase()]) assert.deepEqual(render(read('owner', id)).values, [id]);
    for (const text of ['', 'none', `${UUID}0`, `{${UUID}}`, UUID.replaceAll('-', ''), `${UUID},${UUID}`])
      assert.match(rejection('owner', text), /is not a UUID/);
    assert.match(rejection('owner__in', `${UUID},x`), /'x' is not a UUID/);
  });

  it('treats both bounds of a date filter as inclusive UTC days', () => {
    const day = "$2::date::timestamp at time zone 'UTC'";
    const nextDay = `(${day} + interval '1 day')`;
    const sqlOf = (name: string) => render(read(name, '2026-01-31'));
    assert.deepEqual(sqlOf('seen_at'), {
      sql: `(things.seen_at >= ${day} and things.seen_at < ${nextDay})`,
      values: ['2026-01-31'],
    });
    assert.equal(sqlOf('seen_at__gte').sql, `things.seen_at >= ${day}`);
    assert.equal(sqlOf('seen_at__lte').sql, `things.seen_at < ${nextDay}`);
  });

  it('accepts only dates from the years 1 to 9999 in a date filter', () => {
    const days = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (date) => {
        const text = date.toISOString().slice(0, 10);
        assert.ok(render(read('seen_at', text)).values.every((value) => value === text));
      }),
    );
    for (const text of ['', '2026', '2026-1-31', '2026-02-30', '0000-01-01', '31.1.2026', 'infinity', 'now'])
      assert.match(rejection('seen_at', text), /is not a date\. Use the format 2026-01-31/);
    assert.match(rejection('seen_at__lte', '2026-01-31T00:00:00Z'), /is not a date/);
  });

  it('searches for %, _ and \\ literally', () => {
    assert.equal(likePattern('100%_a\\b'), '%100\\%\\_a\\\\b%');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const inner = likePattern(text).slice(1, -1);
        assert.equal(inner.replaceAll(/\\([\\%_])/g, '$1'), text);
        assert.doesNotMatch(inner.replaceAll(/\\[\\%_]/g, ''), /[\\%_]/);
      }),
    );
  });

  it('uses the same SQL condition for stored counts as for rows if a filter supports both', () => {
    const counted = withCountsSql(FILTERS).status?.read('PASS', 'filter[status]');
    assert.ok(counted);
    assert.equal(counted.countsSql, counted.sql);
    assert.equal(read('status', 'PASS').countsSql, undefined);
  });
});
