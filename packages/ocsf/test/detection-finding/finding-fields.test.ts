import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isListOf } from '../../src/extract/field-layout.ts';
import {
  ConformanceChecker,
  createFindingScanner,
  FINDING_FIELDS,
  type FieldTree,
  findingUidOf,
  type RecordSpan,
  RecordSplitter,
  readCheckTexts,
  readDetectionFinding,
  type Warn,
  type Warning,
} from '../../src/index.ts';
import { readAll } from '../fuzz/read-all.ts';

describe('the finding field list', () => {
  it('includes every field that is read from a record', () => {
    const seen = new Set<string>();
    const record: Readonly<Record<string, unknown>> = {
      class_uid: 2004,
      status_code: 'PASS',
      finding_info: { uid: 'finding' },
      metadata: { event_code: 'check', product: {} },
      remediation: {},
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
    readCheckTexts(watched, () => undefined);
    new ConformanceChecker().check(watched, '');
    assert.deepEqual([...seen].sort(), paths(FINDING_FIELDS).sort());
  });

  it('reads the same values as JSON.parse from every record in the example files', () => {
    // The output of real scans is not in the repository.
    const folders = ['../../../../examples/', '../../../../../shared/data/'].map(
      (folder) => new URL(folder, import.meta.url),
    );
    const files = folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)))
      .filter(({ pathname }) => pathname.endsWith('.ocsf.json'));
    assert.ok(files.length > 0);
    const scanner = createFindingScanner();
    const defaults = { provider: 'kubernetes', account: 'cluster', time: Date.now() };
    const withWarnings = <Result>(read: (warn: Warn) => Result) => {
      const warnings: Warning[] = [];
      return [read((warning) => warnings.push(warning)), warnings];
    };
    const findingOf = (value: unknown) => withWarnings((warn) => readDetectionFinding(value, defaults, warn));
    const textsOf = (value: unknown) => withWarnings((warn) => readCheckTexts(value, warn));
    for (const file of files) {
      const bytes = readFileSync(file);
      const spans: RecordSpan[] = [];
      const limits = { maxRecordBytes: 2 ** 20, maxDepth: 100, maxKeys: 10_000 };
      new RecordSplitter(limits, (span) => spans.push(span)).push(bytes);
      for (const [position, read] of readAll(scanner, bytes, spans).entries()) {
        const whole: unknown = JSON.parse(
          bytes.toString('utf8', spans[position]?.start, spans[position]?.end),
        );
        assert.ok(read, `${file.pathname}, record ${position}`);
        assert.deepEqual(findingOf(read.fields), findingOf(whole));
        assert.deepEqual(textsOf(read.texts), textsOf(whole));
      }
    }
  });
});

/** Wraps an object and records which scalar values are read from it. */
function watch(value: object, path: string, seen: Set<string>): object {
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || key === 'length' || typeof found === 'function') return found;
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
    if (field === true || field === 'text') return [child];
    return paths(isListOf(field) ? field[0] : field, child);
  });
}
