import type { SortTerm } from '../../jsonapi/sort.ts';
import { STATUSES } from './filters.ts';
import { FINDING_SORTS, FINDING_TIES } from './finding-sorts.ts';

/** A sort key as an integer of at most `bits` bits. */
interface PackedKey {
  readonly bits: number;
  readonly number: string;
}

/** The statuses are in the order of their type. */
const PACKED: ReadonlyMap<string, PackedKey> = new Map([
  [FINDING_SORTS.severity.sql, { bits: 15, number: FINDING_SORTS.severity.sql }],
  [
    FINDING_SORTS.status.sql,
    {
      bits: 2,
      number: `case ${FINDING_SORTS.status.sql} ${STATUSES.map((status, at) => `when '${status}' then ${at}`).join(' ')} end`,
    },
  ],
  [FINDING_TIES.check.sql, { bits: 46, number: FINDING_TIES.check.sql }],
]);

/** The bits of a non-negative `bigint`. */
const MAX_BITS = 63;

/**
 * Terms with the same order, where adjacent small ones are one integer: PostgreSQL compares the first key of a sort
 * several times as fast as the others.
 */
export function packTerms(terms: readonly SortTerm[]): readonly SortTerm[] {
  const packed: SortTerm[] = [];
  let previous: (PackedKey & { readonly descending: boolean }) | undefined;
  for (const term of terms) {
    const key = PACKED.get(term.sql);
    if (key === undefined) {
      packed.push(term);
      previous = undefined;
      continue;
    }
    const isJoined = previous?.descending === term.descending && previous.bits + key.bits <= MAX_BITS;
    const joined = isJoined ? previous : undefined;
    if (joined !== undefined) packed.pop();
    const number =
      joined === undefined
        ? `(${key.number})::bigint`
        : `((${joined.number} << ${key.bits}) + (${key.number}))`;
    previous = { bits: (joined?.bits ?? 0) + key.bits, number, descending: term.descending };
    packed.push({ sql: number, type: 'bigint', descending: term.descending });
  }
  return packed;
}
