import { stateCode } from '../changes/finding-state.ts';
import { CountSums } from './count-sums.ts';
import { CURRENT_COUNT_CODE } from './finding-totals.ts';
import { type FrameRows, keyOf } from './frame-rows.ts';
import type { MergedNewer, ReplacedRecord } from './merge-findings.ts';

/**
 * SQL for what a merge returns for each finding `f` on a cluster, where an insert cannot be part of another statement: a
 * `ReturnedFinding`. Few and small columns, because the coordinator reads and writes each value.
 */
export const RETURNED_FINDING = `f.record_index as "recordIndex", f.prior_state as "priorState", ${CURRENT_COUNT_CODE} as code,
    f.replaced_code as "replacedCode", f.replaced_facet as "replacedFacet", f.replaced`;

/** A finding whose newest record is in the frame. The driver returns `bigint` as text. */
export interface ReturnedFinding {
  readonly recordIndex: string;
  readonly priorState: number | null;
  /** The `finding_count_code`s after and before the merge; null if the finding was not counted. */
  readonly code: number;
  readonly replacedCode: number | null;
  /** Null if the facet has not changed. */
  readonly replacedFacet: string | null;
  readonly replaced: Omit<ReplacedRecord, 'id' | 'kept'> | null;
}

/** Combines what a merge of the rows has returned, as the statement of a single server does. */
export function combineReturned(rows: FrameRows, returned: readonly ReturnedFinding[]): MergedNewer {
  const byRecord = new Map(Array.from(rows.byHexId, ([id, row]) => [row.recordIndex, { id, row }]));
  const sums = new CountSums();
  const replacements: ReplacedRecord[] = [];
  const changed: [id: string, priorState: number | null][] = [];
  for (const { recordIndex, priorState, code, replacedCode, replacedFacet, replaced } of returned) {
    const kept = Number(recordIndex);
    const merged = byRecord.get(kept);
    if (merged === undefined) throw new Error(`the frame has no row of record ${kept}`);
    const { id, row } = merged;
    if (replaced !== null) replacements.push({ ...replaced, id, kept });
    if (priorState !== stateCode(row)) changed.push([id, priorState]);
    if (code === replacedCode && replacedFacet === null) continue;
    sums.add(row.providerId, keyOf(row.check), keyOf(row.facet), code, 1);
    if (replacedCode === null) continue;
    const facetKey = replacedFacet === null ? keyOf(row.facet) : Number(replacedFacet);
    sums.add(row.providerId, keyOf(row.check), facetKey, replacedCode, -1);
  }
  return { count: returned.length, replaced: replacements, changed, changes: sums.values() };
}
