import type { QueryResult } from 'pg';
import { onlyRow } from '../../db/only-row.ts';
import { stateCode, stateSql } from '../changes/finding-state.ts';
import { hexOf } from './copy-writer.ts';
import { CountSums } from './count-sums.ts';
import { type CountChanges, CURRENT_COUNT_CODE } from './finding-totals.ts';
import { type FrameRows, keyOf } from './frame-rows.ts';
import type { ReplacedRecord } from './merge-findings.ts';

/** A finding whose newest record is in the frame. */
type ReturnedFinding = readonly [
  recordIndex: number,
  priorState: number | null,
  /** The `finding_count_code` after the merge. */
  code: number,
  /** The `finding_count_code` before the merge; null if the finding was not counted. */
  replacedCode: number | null,
  /** The key of the facet before the merge; null if the facet has not changed. */
  replacedFacet: number | null,
];

/** What a merge of newer records returns. */
interface Returned {
  /** The number of these findings. */
  readonly count: number;
  /** Those of them that have changed, and possibly others. */
  readonly findings: readonly ReturnedFinding[];
  readonly replaced: readonly Omit<ReplacedRecord, 'id'>[];
}

const FINDING = `array[${[
  'f.record_index',
  'f.prior_state',
  CURRENT_COUNT_CODE,
  'f.replaced_code',
  'f.replaced_facet',
]
  .map((value) => `${value}::bigint`)
  .join(', ')}]`;

/** SQL condition: a `ReturnedFinding` with this state has changed. */
const IS_CHANGED =
  'finding[2] is distinct from state or finding[3] is distinct from finding[4] or finding[5] is not null';

/**
 * SQL of a statement that merges newer records, and returns a `Returned`. Reading one text is faster than reading a row
 * per finding. In a distributed database, an insert cannot be part of another statement, so it returns rows.
 */
export function returning(merge: string, isDistributed: boolean): string {
  if (isDistributed) return `${merge} returning array_to_json(${FINDING})::text as finding, f.replaced`;
  return `
  with merged as (${merge}
    returning ${FINDING} as finding, ${stateSql('f', 'false')} as state, f.replaced
  )
  select count(*)::integer as count,
    coalesce(array_to_json(array_agg(finding) filter (where ${IS_CHANGED}))::text, '[]') as findings,
    coalesce(jsonb_agg(replaced || jsonb_build_object('kept', finding[1])) filter (where replaced is not null), '[]') as replaced
  from merged`;
}

/** Reads the result of the statement. */
export function readReturned(result: QueryResult, isDistributed: boolean): Returned {
  if (!isDistributed) {
    const { count, findings, replaced } = onlyRow(result);
    return { count, findings: JSON.parse(findings), replaced };
  }
  const findings: readonly ReturnedFinding[] = result.rows.map(({ finding }) => JSON.parse(finding));
  const replaced = findings.flatMap(([kept], at) => {
    const record = result.rows[at].replaced;
    return record === null ? [] : [{ ...record, kept }];
  });
  return { count: findings.length, findings, replaced };
}

/** What a merge of newer records has changed. */
interface Combined {
  readonly replaced: readonly ReplacedRecord[];
  /** The prior states of new findings and of those whose state changed, by id with one character per byte. */
  readonly priorStates: ReadonlyMap<string, number | null>;
  readonly changes: readonly CountChanges[];
}

/** Adds up what a merge of the rows has returned. */
export function combineReturned(rows: FrameRows, { findings, replaced }: Returned): Combined {
  const rowOf = rows.rowOfEach();
  const sums = new CountSums();
  const priorStates = new Map<string, number | null>();
  for (const [recordIndex, priorState, code, replacedCode, replacedFacet] of findings) {
    const row = rowOf(recordIndex);
    if (priorState !== stateCode(row)) priorStates.set(row.id, priorState);
    if (code === replacedCode && replacedFacet === null) continue;
    sums.add(row.providerId, keyOf(row.check), keyOf(row.facet), code, 1);
    if (replacedCode === null) continue;
    sums.add(row.providerId, keyOf(row.check), replacedFacet ?? keyOf(row.facet), replacedCode, -1);
  }
  return {
    replaced: replaced.map((record) => ({ ...record, id: hexOf(rowOf(record.kept).id) })),
    priorStates,
    changes: sums.values(),
  };
}
