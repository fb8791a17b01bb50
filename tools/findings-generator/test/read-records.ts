import assert from 'node:assert/strict';
import { type GeneratorOptions, generateFindings } from '../src/index.ts';

/** Generates a file and returns its text. */
export function fileText(options: Partial<GeneratorOptions>): string {
  return Buffer.concat([...generateFindings(options)]).toString('utf8');
}

/** Generates a file and returns its parsed records. */
export function recordsOf(options: Partial<GeneratorOptions>): unknown[] {
  const records: unknown = JSON.parse(fileText(options));
  assert(Array.isArray(records));
  return records;
}

/** Returns the value at a path of keys and indexes, or undefined if there is none. */
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

/** Returns the attributes that identify a finding in Sluice. */
export function identityOf(record: unknown): string {
  return JSON.stringify([
    at(record, 'unmapped', 'provider_uid'),
    at(record, 'metadata', 'event_code'),
    at(record, 'finding_info', 'uid'),
    at(record, 'resources', 0, 'uid'),
  ]);
}
