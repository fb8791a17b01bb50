import type pg from 'pg';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { ReadRecord } from '../worker/read-records.ts';
import { historyOf } from './combine-rows.ts';
import { hexOf } from './copy-writer.ts';
import { newCountCode } from './finding-totals.ts';
import { keyOf, type Row, type RowWriter, storedUid } from './frame-rows.ts';

/** Separates the columns in the first parameter of `unpack_findings`, which has no columns with texts. */
const SEPARATOR = '\u0001';

/** SQL of the rows that `PackedRows` sends. `first` is the number of the first of its parameters. */
export function unpackedRows(first: number): string {
  return `unpack_findings($${first}::text, $${first + 1}::text, $${first + 2}::text)`;
}

/**
 * Sends the rows of a frame as parameters that a node of a cluster unpacks (migration 0033). COPY would reach only the
 * coordinator, which would then insert row by row. On a single server, COPY takes less time.
 */
export class PackedRows implements RowWriter {
  readonly #bytes: number[] = [];
  readonly #details: (string | null)[] = [];

  begin(_id: string, _providerId: string, _scanId: string, { finding, bytes }: ReadRecord): void {
    this.#bytes.push(bytes);
    this.#details.push(finding.statusDetail);
  }

  async send(_client: pg.Client, rows: readonly Row[]): Promise<readonly unknown[]> {
    const providers = new Dictionary<string>();
    const scans = new Dictionary<string>();
    const times = new Dictionary<number>();
    const unlessLastSeen = (at: number, { time }: Row) => (at === time ? null : times.numberOf(at));
    const columns: readonly (readonly (number | string | null | undefined)[])[] = [
      rows.map(({ id }) => hexOf(id)),
      rows.map(({ providerId }) => providers.numberOf(providerId)),
      rows.map(({ scanId }) => scans.numberOf(scanId)),
      rows.map(({ recordIndex }) => recordIndex),
      rows.map(({ offset }) => offset),
      rows.map(({ place }) => this.#bytes[place]),
      rows.map(newCountCode),
      rows.map(({ time }) => times.numberOf(time)),
      rows.map((row) => unlessLastSeen(historyOf(row).firstSeenAt, row)),
      rows.map((row) => unlessLastSeen(historyOf(row).statusChangedAt, row)),
      rows.map((row) => {
        const { otherStatusAt } = historyOf(row);
        return otherStatusAt === null ? null : times.numberOf(otherStatusAt);
      }),
      rows.map(({ check }) => keyOf(check)),
      rows.map(({ facet }) => keyOf(facet)),
      rows.map(({ resource }) => (resource === null ? null : keyOf(resource))),
    ];
    const dictionaries = [
      providers.values,
      scans.values,
      times.values.map((ms) => `"${new Date(ms).toISOString()}"`),
    ];
    return [
      [...dictionaries, ...columns.map(withoutNulls)].map(arrayLiteral).join(SEPARATOR),
      withoutNulls(rows.map(({ place }) => this.#details[place] ?? null)),
      withoutNulls(rows.map(storedUid)),
    ];
  }
}

/** Numbers distinct values from 1, as the elements of an array in SQL. */
class Dictionary<Value> {
  readonly #numbers = new Map<Value, number>();

  numberOf(value: Value): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(value, number);
    return number;
  }

  get values(): readonly Value[] {
    return [...this.#numbers.keys()];
  }
}

/** `unnest` fills a shorter array with nulls. */
function withoutNulls<Value>(values: readonly Value[]): readonly Value[] {
  return values.every((value) => value === null) ? [] : values;
}
