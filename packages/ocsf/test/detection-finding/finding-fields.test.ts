import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isFirstOf } from '../../src/field-reader/field-reader.ts';
import {
  FINDING_FIELDS,
  FieldReader,
  type FieldTree,
  findingUidOf,
  type RecordSpan,
  RecordSplitter,
  readDetectionFinding,
} from '../../src/index.ts';
import { readAll } from '../fuzz/read-all.ts';

describe('the finding field list', () => {
  it('includes every field that is read from a record', () => {
    const seen = new Set<string>();
    const record: Readonly<Record<string, unknown>> = {
      class_uid: 2004,
      status_code: 'PASS',
      finding_info: { uid: 'finding' },
      metadata: { event_code: 'check' },
      cloud: { account: {} },
      unmapped: {},
      resources: [{ group: {} }],
    };
    const watched = watch(record, '', seen);
    const defaults = { provider: 'aws', account: '1', time: Date.now() };
    const expected = readDetectionFinding(record, defaults);
    assert.ok('uid' in expected);
    assert.deepEqual(readDetectionFinding(watched, defaults), expected);
    assert.equal(findingUidOf(watched), 'finding');
    assert.deepEqual([...seen].sort(), paths(FINDING_FIELDS).sort());
  });

  it('reads the same values as JSON.parse from every record in the example files', () => {
    const folder = new URL('../../../../examples/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.ocsf.json'));
    assert.ok(files.length > 0);
    const findings = new FieldReader(FINDING_FIELDS);
    const defaults = { provider: 'kubernetes', account: 'cluster', time: Date.now() };
    for (const file of files) {
      const bytes = readFileSync(new URL(file, folder));
      const spans: RecordSpan[] = [];
      const limits = { maxRecordBytes: 2 ** 20, maxDepth: 100, maxKeys: 10_000 };
      new RecordSplitter(limits, (span) => spans.push(span)).push(bytes);
      for (const [position, value] of readAll(findings, bytes, 'utf8', spans).entries()) {
        const whole: unknown = JSON.parse(
          bytes.toString('utf8', spans[position]?.start, spans[position]?.end),
        );
        assert.notEqual(value, undefined, `${file}, record ${position}`);
        assert.deepEqual(readDetectionFinding(value, defaults), readDetectionFinding(whole, defaults));
      }
    }
  });
});

/** Wraps an object and records which scalar values are read from it. */
function watch(value: object, path: string, seen: Set<string>): object {
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || key === 'length') return found;
      const child = Array.isArray(target) ? path : `${path}/${key}`;
      if (typeof found === 'object' && found !== null) return watch(found, child, seen);
      seen.add(child);
      return found;
    },
  });
}

function paths(fields: FieldTree, path = ''): string[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const child = `${path}/${key}`;
    if (field === true) return [child];
    return paths(isFirstOf(field) ? field[0] : field, child);
  });
}
