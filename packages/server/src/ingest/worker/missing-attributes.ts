import type { Queryable } from '../../db/transaction.ts';
import type { JobProblem } from './finish-frame.ts';

/** The code of a warning about an attribute that OCSF requires. A job has one for each attribute. */
export const MISSING_ATTRIBUTE = 'missing_required_attribute';

/** The required attributes that records of a frame lack. Their number is limited by the schema, not by the records. */
export class MissingAttributes {
  /** The first record that lacks the attribute, and the number of all such records, by pointer. */
  readonly #byPointer = new Map<string, { readonly first: JobProblem; records: number }>();

  /** Counts a record. Records are added in file order, each at most once with the same pointer. */
  add(pointer: string, createProblem: () => JobProblem): void {
    const known = this.#byPointer.get(pointer);
    if (known === undefined) this.#byPointer.set(pointer, { first: createProblem(), records: 1 });
    else known.records++;
  }

  /** The sum of the numbers of records. */
  get count(): number {
    return [...this.#byPointer.values()].reduce((sum, { records }) => sum + records, 0);
  }

  /**
   * Adds the records to the warnings of the job, whose row must be locked. The other columns describe the first record
   * in the file, so the result does not depend on the order in which frames are processed.
   */
  async store(client: Queryable, ids: readonly string[]): Promise<void> {
    const warnings = [...this.#byPointer.values()];
    if (warnings.length === 0) return;
    await client.query(STORE, [
      ...ids,
      warnings.map(({ first }) => first.byteOffset),
      warnings.map(({ first }) => first.recordIndex),
      warnings.map(({ first }) => first.pointer),
      warnings.map(({ first }) => first.findingUid),
      warnings.map(({ first }) => first.detail),
      warnings.map(({ records }) => records),
    ]);
  }
}

const STORE = `
  insert into ingestion_warnings as w
    (tenant_id, ingestion_id, code, byte_offset, record_index, pointer, finding_uid, detail, record_count)
  select i.tenant_id, i.id, '${MISSING_ATTRIBUTE}', m.*
  from ingestions i
  cross join unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[]) as m
  where i.tenant_id = $1 and i.id = $2
  on conflict (tenant_id, ingestion_id, pointer) where code = '${MISSING_ATTRIBUTE}' do update set
    record_count = w.record_count + excluded.record_count,
    byte_offset = least(w.byte_offset, excluded.byte_offset),
    record_index = least(w.record_index, excluded.record_index),
    finding_uid = case when excluded.byte_offset < w.byte_offset then excluded.finding_uid else w.finding_uid end,
    detail = case when excluded.byte_offset < w.byte_offset then excluded.detail else w.detail end`;
