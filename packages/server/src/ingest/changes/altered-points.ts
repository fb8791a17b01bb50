import type { Queryable } from '../../db/transaction.ts';
import type { ChangeCounts } from './change-counts.ts';
import { type FindingEvent, upsertEvents } from './finding-events.ts';
import { type AlteredPoint, changeAt, type TimelinePoint } from './place-record.ts';
import { type AlteredResolution, alterResolutions } from './record-resolutions.ts';

/** Collects the known records and resolutions whose prior states are others now, with their events and counts. */
export class AlteredPoints {
  readonly #counts: ChangeCounts;
  readonly #events: FindingEvent[] = [];
  readonly #resolutions: AlteredResolution[] = [];
  /** Findings with another first known record. */
  readonly #firstScans: { readonly findingId: string; readonly value: string }[] = [];
  /** Findings whose newest record has another prior state. */
  readonly #priorStates: { readonly findingId: string; readonly value: number | null }[] = [];

  /** The caller stores the counts. */
  constructor(counts: ChangeCounts) {
    this.#counts = counts;
  }

  /** `newest` is the finding's newest record, or null if the frame has just replaced it. */
  add(findingId: string, { point, priorState }: AlteredPoint, newest: TimelinePoint | null): void {
    const { ingestionId, scanId, state } = point;
    if (point === newest) this.#priorStates.push({ findingId, value: priorState });
    if (point.isResolution && ingestionId !== null && priorState !== null) {
      this.addResolution({ findingId, coverageId: ingestionId, state: priorState });
      return;
    }
    if (ingestionId === null || scanId === null) return;
    const altered = { ...point, ingestionId, scanId, priorState };
    this.#counts.add({ scanId, ingestionId }, changeAt(point), state, -1);
    this.#counts.add({ scanId, ingestionId }, changeAt(altered), state, 1);
    this.#events.push({ ...altered, findingId, change: changeAt(altered) });
    if (priorState === null) this.addFirstScan(findingId, scanId);
  }

  addResolution(resolution: AlteredResolution): void {
    this.#resolutions.push(resolution);
  }

  addFirstScan(findingId: string, scanId: string): void {
    this.#firstScans.push({ findingId, value: scanId });
  }

  /** Stores everything except the counts, in the open transaction. */
  async store(client: Queryable, tenantId: string): Promise<void> {
    await upsertEvents(client, tenantId, this.#events);
    await alterResolutions(client, tenantId, this.#resolutions, this.#counts);
    await updateFindings(client, tenantId, { name: 'first_scan_id', type: 'uuid' }, this.#firstScans);
    await updateFindings(client, tenantId, { name: 'prior_state', type: 'smallint' }, this.#priorStates);
  }
}

async function updateFindings(
  client: Queryable,
  tenantId: string,
  { name, type }: { readonly name: string; readonly type: string },
  values: readonly { readonly findingId: string; readonly value: string | number | null }[],
): Promise<void> {
  if (values.length === 0) return;
  await client.query(
    `update findings f set ${name} = w.value
     from unnest((select $2::uuid[]), (select $3::${type}[])) as w (id, value)
     where f.tenant_id = $1 and f.id = w.id`,
    [tenantId, values.map(({ findingId }) => findingId), values.map(({ value }) => value)],
  );
}
