import assert from 'node:assert/strict';
import { arrayFile } from './array-file.ts';
import type { Client, UploadOptions } from './client.ts';
import { assertOutcome, findingsOf, type StoredFinding } from './job-outcome.ts';
import { record } from './records.ts';
import type { TenantService } from './service.ts';

type Json = Readonly<Record<string, unknown>>;

/** A record and the expected stored value. */
export type Stored<Value> = readonly [record: Json, value: Value];
/** A record and its expected error. */
type Rejected = readonly [record: Json, code: string, pointer: string, detail: RegExp];

export interface RecordCases {
  /** Uploads the records together and asserts the value that `pick` returns for each record's finding. */
  readonly stores: <Value>(
    cases: readonly Stored<Value>[],
    pick: (finding: StoredFinding) => Value,
    options?: UploadOptions,
  ) => Promise<void>;
  /**
   * Uploads the records followed by a valid record, and asserts the error of each record and that the valid record is
   * ingested.
   */
  readonly rejects: (cases: readonly Rejected[], options?: UploadOptions) => Promise<void>;
}

/** Asserts the outcome of single records. `running` is called whenever a case runs. */
export function recordCases(
  running: () => { readonly service: TenantService; readonly client: Client },
): RecordCases {
  let runs = 0;
  return {
    stores: async (cases, pick, options) => {
      const { service, client } = running();
      const run = ++runs;
      const file = cases.map(([good], index) => withOwnUid(good, `${run}.${index}`));
      const job = await client.ingest(file, options);
      await assertOutcome(client, job, { total: cases.length, invalid: 0, errors: [] });
      const findings = await findingsOf(service, job);
      assert.deepEqual(
        findings.map(pick),
        cases.map(([, value]) => value),
      );
    },
    rejects: async (cases, options) => {
      const { service, client } = running();
      const { bytes, offsets } = arrayFile([...cases.map(([bad]) => bad), record()]);
      const job = await client.ingest(bytes, options);
      const errors = cases.map(([bad, code, pointer, detail], index) => ({
        code,
        pointer,
        detail,
        record_index: index,
        byte_offset: offsets[index] ?? 0,
        finding_uid: uidOf(bad),
      }));
      await assertOutcome(client, job, { total: cases.length + 1, invalid: cases.length, errors });
      const findings = await findingsOf(service, job);
      assert.deepEqual(
        findings.map(({ record_index }) => record_index),
        [cases.length],
      );
    },
  };
}

/**
 * Returns the record with a unique uid that starts with `prefix-`, so that all records in a test file belong to
 * different findings.
 */
function withOwnUid(good: Json, prefix: string): Json {
  return { ...good, finding_info: { ...infoOf(good), uid: `${prefix}-${infoOf(good).uid}` } };
}

function infoOf(from: Json): Json {
  const info = from.finding_info;
  return typeof info === 'object' && info !== null ? { ...info } : {};
}

function uidOf(from: Json): string | null {
  const { uid } = infoOf(from);
  return typeof uid === 'string' && uid.trim() !== '' ? uid : null;
}
