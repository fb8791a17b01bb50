import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FINDING_SORTS } from '../../../src/features/findings/finding-sorts.ts';
import { type Client, createClient } from '../../support/client.ts';
import { isWholeRun, itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { parseCsvTable } from '../../support/parse-csv.ts';
import { record } from '../../support/records.ts';

const SORTS = Object.keys(FINDING_SORTS).flatMap((key) => [key, `-${key}`]);
/** The columns of the sort keys that can change. */
const COLUMNS = [
  'severity',
  'status',
  'first_seen_at',
  'last_seen_at',
  'status_changed_at',
  'resource_name',
  'resource_uid',
];
/** The position of the last finding that the client received. */
const LAST = 4;

/** Names that are formulas, contain separators, or are missing. */
const NAMES = ['=1+1', 'Name, "1"', 'a;=1\n=2', undefined, "'", 'Name'];
const RECORDS = Array.from({ length: 30 }, (_, at) =>
  record({
    severity_id: (at % 5) + 1,
    time: 1_780_000_000 + (at % 4),
    status_code: at % 3 === 0 ? 'PASS' : 'FAIL',
    finding_info: { uid: `finding ${at}` },
    metadata: { event_code: `check_${at % 4}` },
    cloud: { account: { uid: `11112222333${at % 3}` } },
    resources: at % 7 === 6 ? [] : [{ uid: `resource-${at % 6}`, name: NAMES[at % 6] }],
  }),
);

describe('a resumed export', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    await client.ingest(RECORDS);
  });
  after(() => service.leave());

  const exported = async (query: Readonly<Record<string, string>>) => {
    const response = await fetch(`${service.url}/api/v1/findings/export?${new URLSearchParams(query)}`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    return { status: response.status, text: await response.text() };
  };
  const errorOf = ({ status, text }: { status: number; text: string }) => {
    if (status === 200) return [status];
    const [{ code, source }] = JSON.parse(text).errors;
    return [status, code, source.parameter];
  };
  /** Starts an export and returns the request that resumes it after the fifth finding, and the findings after it. */
  const interrupt = async (format: 'csv' | 'ndjson', sort: string) => {
    const { text } = await exported({ format, sort });
    const rows: Record<string, string | null>[] =
      format === 'csv'
        ? parseCsvTable(text)
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
    const last = rows[LAST] ?? {};
    const next = rows[LAST + 1]?.id ?? '';
    return {
      last,
      resume: { format, sort, 'page[after]': last.id ?? '' },
      values: Object.fromEntries(COLUMNS.map((name) => [name, last[name] ?? null])),
      rest: text.slice(text.indexOf(format === 'csv' ? `\n${next},` : `\n{"id":"${next}"`) + 1),
    };
  };
  /** Changes a finding with a later record. */
  const change = async (uid: string | null | undefined, changes: Readonly<Record<string, unknown>>) => {
    const changed = RECORDS[Number(uid?.replace('finding ', ''))];
    const { attributes } = await client.ingest([{ ...changed, time: 1_790_000_000, ...changes }]);
    assert.equal(attributes.summary.processed, 1);
  };

  it('continues after a finding, for each sort key and format', async () => {
    for (const format of ['csv', 'ndjson'] as const)
      for (const sort of [...SORTS, '-severity,account', 'account,-check_id', '-status,first_seen_at']) {
        const { resume, values, rest } = await interrupt(format, sort);
        const label = `${format} ${sort}`;
        assert.ok(rest.split(/\r?\n/).length > 20, label);
        assert.equal((await exported(resume)).text, rest, label);
        const checked = await exported({ ...resume, 'page[after_values]': JSON.stringify(values) });
        assert.equal(checked.text, rest, label);
      }
  });

  it('returns 404 for an unknown finding', async () => {
    const unknown = { format: 'csv', 'page[after]': '00000000-0000-4000-8000-000000000000' };
    assert.deepEqual(errorOf(await exported(unknown)), [404, 'not_found', 'page[after]']);
  });

  it('returns 400 for an invalid ID and for invalid or missing values', async () => {
    assert.deepEqual(errorOf(await exported({ format: 'csv', 'page[after]': 'one' })), [
      400,
      'invalid_parameter',
      'page[after]',
    ]);
    const { resume } = await interrupt('csv', '-severity');
    for (const values of ['', 'high', '[]', '{"severity":1,"status":"FAIL"}', '{"severity":"high"}'])
      assert.deepEqual(
        errorOf(await exported({ ...resume, 'page[after_values]': values })),
        [400, 'invalid_parameter', 'page[after_values]'],
        values,
      );
  });

  itInWholeRun('returns 409 if the finding has moved in the sort order', async () => {
    const sent = async (sort: string) => {
      const { last, resume, values, rest } = await interrupt('ndjson', sort);
      return { last, rest, resume: { ...resume, 'page[after_values]': JSON.stringify(values) } };
    };
    const { last, rest, resume } = await sent('-severity');
    assert.equal(last.severity, 'critical');
    await change(last.uid, {});
    assert.equal((await exported(resume)).text, rest, 'only the time has changed');

    await change(last.uid, { severity_id: 1, time: 1_790_000_001 });
    assert.deepEqual(errorOf(await exported(resume)), [409, 'finding_changed', 'page[after_values]']);
    const { 'page[after_values]': _, ...unchecked } = resume;
    const fromPresentPosition = await exported(unchecked);
    assert.equal(fromPresentPosition.status, 200);
    assert.ok(fromPresentPosition.text.length < rest.length / 2, 'does not skip findings');
    assert.equal((await exported({ ...resume, sort: 'id' })).status, 200);

    const moves = [
      ['severity', { status_code: 'MANUAL' }],
      ['status', { status_code: 'MANUAL' }],
      ['last_seen_at', {}],
      ['first_seen_at', { time: 1_700_000_000 }],
      ['status_changed_at', { status_code: 'MANUAL' }],
      ['resource', {}],
    ] as const;
    for (const [sort, changes] of isWholeRun ? moves : moves.slice(4)) {
      const one = await sent(sort);
      const resources = [{ uid: one.last.resource_uid, name: 'Renamed' }];
      await change(one.last.uid, {
        time: 1_790_000_002,
        ...changes,
        ...(sort === 'resource' && { resources }),
      });
      assert.deepEqual(
        errorOf(await exported(one.resume)),
        [409, 'finding_changed', 'page[after_values]'],
        sort,
      );
    }
  });
});
