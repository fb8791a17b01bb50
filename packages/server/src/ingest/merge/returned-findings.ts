import { stateCode } from '../changes/finding-state.ts';
import { CountSums } from './count-sums.ts';
import { type CountChanges, CURRENT_COUNT_CODE } from './finding-totals.ts';
import { type FrameRows, keyOf } from './frame-rows.ts';
import type { ReplacedRecord } from './merge-findings.ts';

/**
 * SQL for the `ReturnedFinding` of a merged finding `f`. Few and small columns, because the coordinator of a cluster reads
 * and writes each value.
 */
export const RETURNED_FINDING = `f.record_index as "recordIndex", f.prior_state as "priorState", ${CURRENT_COUNT_CODE} as code,
    f.replaced_code as "replacedCode", f.replaced_facet as "replacedFacet", f.replaced`;

/** A finding whose newest record is in the frame. The driver returns `bigint` as text. */
export interface ReturnedFinding {
  readonly recordIndex: string;
  readonly priorState: number | null;
  /** The `finding_count_code` after the merge. */
  readonly code: number;
  /** The `finding_count_code` before the merge; null if the finding was not counted. */
  readonly replacedCode: number | null;
  /** The key of the facet before the merge; null if the facet has not changed. */
  readonly replacedFacet: string | null;
  readonly replaced: Omit<ReplacedRecord, 'id' | 'kept'> | null;
}

/** What a merge of newer records has changed. */
interface Combined {
  readonly replaced: readonly ReplacedRecord[];
  /** The prior states of new findings and of those whose state changed, by id in hexadecimal without hyphens. */
  readonly priorStates: ReadonlyMap<string, number | null>;
  readonly changes: readonly CountChanges[];
}

/** Adds up what a merge of the rows has returned. */
export function combineReturned(rows: FrameRows, returned: readonly ReturnedFinding[]): Combined {
  const byRecord = new Map(Array.from(rows.byHexId, ([id, row]) => [row.recordIndex, { id, row }]));
  const sums = new CountSums();
  const replacements: ReplacedRecord[] = [];
  const priorStates = new Map<string, number | null>();
  for (const { recordIndex, priorState, code, replacedCode, replacedFacet, replaced } of returned) {
    const kept = Number(recordIndex);
    const merged = byRecord.get(kept);
    if (merged === undefined) throw new Error(`the frame has no row of record ${kept}`);
    const { id, row } = merged;
    if (replaced !== null) replacements.push({ ...replaced, id, kept });
    if (priorState !== stateCode(row)) priorStates.set(id, priorState);
    if (code === replacedCode && replacedFacet === null) continue;
    sums.add(row.providerId, keyOf(row.check), keyOf(row.facet), code, 1);
    if (replacedCode === null) continue;
    const facetKey = replacedFacet === null ? keyOf(row.facet) : Number(replacedFacet);
    sums.add(row.providerId, keyOf(row.check), facetKey, replacedCode, -1);
  }
  return { replaced: replacements, priorStates, changes: sums.values() };
}
