import assert from 'node:assert/strict';
import { type GeneratorOptions, generateFindings } from '../src/index.ts';

/** The whole text of a generated file. */
export function fileText(options: Partial<GeneratorOptions>): string {
  return Buffer.concat([...generateFindings(options)]).toString('utf8');
}

/** The records of a generated file, read with JSON.parse. */
export function recordsOf(options: Partial<GeneratorOptions>): unknown[] {
  const records: unknown = JSON.parse(fileText(options));
  assert(Array.isArray(records));
  return records;
}

/** The value at a path of keys and indexes, or undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) {
      return undefined;
    }
    found = Object.entries(found).find(([name]) => name === String(key))?.[1];
  }
  return found;
}

/** What Sluice knows a finding by. */
export function identityOf(record: unknown): string {
  return JSON.stringify([
    at(record, 'unmapped', 'provider_uid'),
    at(record, 'metadata', 'event_code'),
    at(record, 'finding_info', 'uid'),
    at(record, 'resources', 0, 'uid'),
  ]);
}
