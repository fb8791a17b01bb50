import type { Logger } from 'pino';
import { classifyDatabaseError } from '../../db/database-errors.ts';
import { type Queryable, setTenant, TransactionLost } from '../../db/transaction.ts';
import { changeFacets, type FindingFacet } from '../merge/change-facets.ts';
import { hexOf } from '../merge/copy-writer.ts';
import { FrameProviders, findProviders } from '../merge/ensure-providers.ts';
import type { ResourceReference } from '../merge/ensure-resources.ts';
import { insertLinks, linksOf } from '../merge/finding-resources.ts';
import { FrameReferences } from '../merge/frame-references.ts';
import { findingId } from '../merge/frame-rows.ts';
import { BEGIN, isBlobStoreReadable, undo } from './attempt-frame.ts';
import { type ClaimedFrame, type FrameJob, findStoredFrame } from './claim.ts';
import type { FrameWatch } from './frame-watch.ts';
import type { FrameContext } from './process-frame.ts';
import { readFrame } from './read-frame.ts';
import type { ReadRecord } from './read-records.ts';

/** Claims a frame for the open transaction. The findings of a tenant need their keys first. */
const CLAIM = `
  select r.tenant_id as "tenantId", r.ingestion_id as "ingestionId", r.number from reread_queue r
  where not exists (select from finding_backfills b where b.tenant_id = r.tenant_id)
  order by r.tenant_id, r.ingestion_id, r.number limit 1 for update skip locked`;

/**
 * Reads again a frame that the previous release processed, and stores what that release did not read from its records:
 * docs/decisions/0088-frames-are-read-again.md. `unavailable` means that currently no frame can be read. Throws if the
 * state of a connection is unknown.
 */
export async function rereadNextFrame(
  context: FrameContext,
  log: Logger,
): Promise<'none' | 'read' | 'unavailable'> {
  const { work, blobs, isSideLost } = context;
  await work.query(BEGIN);
  const { rows } = await work.query<ClaimedFrame>(CLAIM);
  const [claim] = rows;
  if (claim === undefined) {
    await work.query('commit');
    return 'none';
  }
  await work.query('savepoint claimed');
  const ids = { tenantId: claim.tenantId, ingestionId: claim.ingestionId, frame: claim.number };
  try {
    await setTenant(work, claim.tenantId);
    const frame = await findStoredFrame(work, claim);
    if (frame !== undefined) await reread(context, frame);
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    await undo(work, error);
    const fault = classifyDatabaseError(error);
    // All files seem to be missing while the volume of the blob store is not mounted.
    if (isSideLost() || fault !== undefined || !(await isBlobStoreReadable(blobs))) {
      await work.query('rollback');
      log.warn({ ...ids, err: error }, 'a frame could not be read again; it will be retried');
      return fault === 'interrupted' ? 'none' : 'unavailable';
    }
    log.warn(
      { ...ids, err: error },
      'a frame could not be read again; its findings get their further attributes with their next records',
    );
  }
  await work.query('delete from reread_queue where tenant_id = $1 and ingestion_id = $2 and number = $3', [
    claim.tenantId,
    claim.ingestionId,
    claim.number,
  ]);
  await work.query('commit');
  return 'read';
}

/** These frames are not part of the metrics of uploads. */
const UNWATCHED: Pick<FrameWatch, 'step'> = { step: (_, work) => work() };

async function reread(context: FrameContext, frame: FrameJob): Promise<void> {
  const { work, side, stores, findings } = context;
  const { tenantId } = frame;
  const providers = new FrameProviders(findProviders, work, tenantId);
  const references = new FrameReferences(!findings.hasPreviousLayout);
  const current: CurrentRecord[] = [];
  const accept = async (records: readonly ReadRecord[]) => {
    await providers.find(records.map(({ finding }) => finding));
    current.push(...(await findCurrent(work, frame, records, providers, references)));
  };
  const all = { from: 0, to: frame.records, unstorable: new Map<number, string>() };
  const { parser, checks } = await readFrame(context, frame, all, UNWATCHED, accept);
  const used = [...checks].filter(({ finding }) =>
    references.checks.has(finding.providerType, finding.checkId),
  );
  await stores.ensure(side, tenantId, used, references);
  parser.release();
  await changeFacets(work, frame, current);
  await insertLinks(
    work,
    frame,
    current.flatMap(({ id, recordIndex, resource, others }) => linksOf(id, recordIndex, resource, others)),
  );
}

/** The newest record of a finding, and its resources. */
interface CurrentRecord extends FindingFacet {
  readonly resource: ResourceReference | null;
  readonly others: readonly ResourceReference[];
}

/** Returns the records that are the newest of their findings. Others must not create resources, checks or facets. */
async function findCurrent(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  records: readonly ReadRecord[],
  providers: FrameProviders,
  references: FrameReferences,
): Promise<readonly CurrentRecord[]> {
  const candidates = records.flatMap(({ finding, recordIndex }) => {
    const providerId = providers.idOf(finding);
    return providerId === undefined
      ? []
      : [{ finding, recordIndex, providerId, id: hexOf(findingId(providerId, finding)) }];
  });
  const { rows } = await client.query<{ recordIndex: number }>(
    `select record_index::float8 as "recordIndex" from findings
     where tenant_id = $1 and id = any(array(select unnest($4::uuid[]))) and ingestion_id = $2 and frame = $3`,
    [tenantId, ingestionId, number, candidates.map(({ id }) => id)],
  );
  const newest = new Set(rows.map(({ recordIndex }) => recordIndex));
  return candidates
    .filter(({ recordIndex }) => newest.has(recordIndex))
    .map(({ finding, recordIndex, providerId, id }) => {
      references.check(finding);
      return {
        id,
        recordIndex,
        facet: references.facet(finding),
        resource: references.resource(providerId, finding.resources[0], finding),
        others: references.others(providerId, finding),
      };
    });
}
