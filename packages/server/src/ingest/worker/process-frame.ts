import type { ConformanceChecker, FieldScanner } from '@sluice/ocsf';
import type { LimitFunction } from 'p-limit';
import pg from 'pg';
import { type BlobStore, isBlobStoreUnavailable } from '../../blobs/blob-store.ts';
import type { Limits } from '../../config/config.ts';
import { classifyDatabaseError } from '../../db/database-errors.ts';
import { setTenant, TransactionLost } from '../../db/transaction.ts';
import { ChangeCounts } from '../changes/change-counts.ts';
import {
  assertNoneMissed,
  findOwnRecords,
  hasLateRecords,
  MissedOwnRecords,
  NO_OWN_RECORDS,
} from '../changes/own-records.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { examineFrame } from '../dry-run/examine-frame.ts';
import { StoredFileError } from '../frames/stored-frame.ts';
import { CoverageScopes } from '../merge/coverage-scopes.ts';
import {
  ensureProviders,
  FrameProviders,
  type ProviderLookup,
  updateLastSeen,
} from '../merge/ensure-providers.ts';
import { FrameReferences } from '../merge/frame-references.ts';
import { FrameRows } from '../merge/frame-rows.ts';
import type { FindingMerge } from '../merge/merge-findings.ts';
import { updateFindingCounts } from '../merge/previous-layout.ts';
import { FrameProducts } from '../merge/provider-products.ts';
import type { ReferenceStores } from '../merge/reference-stores.ts';
import { holdCoverage, resolveLate } from '../merge/resolve-findings.ts';
import { ScanTallies, updateScans } from '../merge/scans.ts';
import type { FrameJob } from './claim.ts';
import { type FrameOutcome, finishFrame, type JobProblem } from './finish-frame.ts';
import type { FrameEnd, FrameWatch } from './frame-watch.ts';
import { recordJobEnd } from './job-events.ts';
import { MissingAttributes } from './missing-attributes.ts';
import { readFrame } from './read-frame.ts';
import type { ReadRecord, Selection } from './read-records.ts';
import { duplicateWarnings, omissionWarning } from './record-warnings.ts';
import type { JobSlots } from './worker.ts';

export interface FrameContext {
  /** Holds the claim. All changes that concern only this frame are made in its open transaction. */
  readonly work: pg.Client;
  /** For short transactions on data that frames share. */
  readonly side: pg.Client;
  readonly isSideLost: () => boolean;
  readonly blobs: BlobStore;
  /** The current stores of the thread. */
  readonly stores: ReferenceStores;
  readonly replaceStores: () => void;
  readonly findings: FindingMerge;
  /** Shared by all workers of the thread. */
  readonly slots: JobSlots;
  readonly scanner: FieldScanner;
  /** Only one frame of the thread is decompressed and parsed at a time, while PostgreSQL merges other frames. */
  readonly parseQueue: LimitFunction;
  readonly limits: Limits;
  /** Undefined if records are not checked. */
  readonly conformance: ConformanceChecker | undefined;
  /** The base URL for links in events; undefined if it is unknown. */
  readonly publicUrl: string | undefined;
}

/**
 * Processes a claimed frame in the open transaction; the caller commits. A record that makes the frame fail is
 * rejected with an error, and all others are ingested.
 */
export async function processFrame(
  context: FrameContext,
  frame: FrameJob,
  watch: FrameWatch,
): Promise<FrameEnd> {
  if (frame.isDryRun) return await examineFrame(context, frame, watch);
  const all = { from: 0, to: frame.records };
  try {
    return await ingest(context, frame, watch, { ...all, unstorable: new Map() });
  } catch (error) {
    if (context.isSideLost() || !mayBeRecordFault(error)) throw error;
    const unstorable = await isolateRecords(context, frame, watch);
    if (unstorable.size === 0) throw error;
    watch.log.error(
      { err: error, records: unstorable.size },
      'some records cannot be stored; they are reported as job errors',
    );
    return await ingest(context, frame, watch, { ...all, unstorable });
  }
}

/** SQLSTATE classes of deterministic failures: data exceptions, constraint violations, program limits. */
const DATA_CLASSES = /^(22|23|54)/;

/** Errors that no record causes. */
const UNRELATED_ERRORS = [StoredFileError, TransactionLost, MissedOwnRecords];

/** Whether a record may have caused the error, in which case every attempt would fail. */
function mayBeRecordFault(error: unknown): boolean {
  if (isBlobStoreUnavailable(error) || classifyDatabaseError(error) !== undefined) return false;
  if (UNRELATED_ERRORS.some((type) => error instanceof type)) return false;
  return error instanceof pg.DatabaseError ? DATA_CLASSES.test(error.code ?? '') : error instanceof Error;
}

/** Returns the reasons why records of the frame cannot be stored, keyed by position. All attempts are rolled back. */
async function isolateRecords(
  context: FrameContext,
  frame: FrameJob,
  watch: FrameWatch,
): Promise<Map<number, string>> {
  const undo = async () => {
    await context.work.query('rollback to savepoint claimed');
    await setTenant(context.work, frame.tenantId);
  };
  await undo();
  return await isolate(0, frame.records, async (from, to) => {
    try {
      await ingest(context, frame, watch, { from, to, unstorable: new Map() });
      return undefined;
    } catch (error) {
      if (context.isSideLost() || !mayBeRecordFault(error)) throw error;
      return reasonOf(error);
    } finally {
      await undo();
    }
  });
}

/**
 * Uses bisection to find the positions in [from, to) that fail individually, with their errors. `attempt` returns the
 * reason why a range fails, or `undefined`. A range that fails only as a whole adds no positions to the result.
 */
export async function isolate<Failure>(
  from: number,
  to: number,
  attempt: (from: number, to: number) => Promise<Failure | undefined>,
): Promise<Map<number, Failure>> {
  const found = new Map<number, Failure>();
  const search = async (from: number, to: number) => {
    if (from >= to) return;
    const failure = await attempt(from, to);
    if (failure === undefined) return;
    if (to - from === 1) {
      found.set(from, failure);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    await search(from, middle);
    await search(middle, to);
  };
  await search(from, to);
  return found;
}

function reasonOf(error: unknown): string {
  return error instanceof pg.DatabaseError
    ? `The database rejected the record: ${error.message} (SQLSTATE ${error.code}).`
    : 'An internal error occurred while processing the record. Contact the operator of the service.';
}

async function ingest(
  context: FrameContext,
  frame: FrameJob,
  watch: FrameWatch,
  selection: Selection,
): Promise<FrameEnd> {
  const { work, side, stores, findings, limits, publicUrl } = context;
  const findProviders: ProviderLookup = (...wanted) => ensureProviders(...wanted, publicUrl);
  const providers = new FrameProviders(findProviders, side, frame.tenantId);
  const references = new FrameReferences(!findings.hasPreviousLayout);
  const rows = new FrameRows(findings.createWriter(selection.to - selection.from), references);
  const scans = new ScanTallies(frame.ingestionId);
  const scopes = new CoverageScopes(frame.coverage, references);
  const products = new FrameProducts();
  const omissions: JobProblem[] = [];
  const accept = async (accepted: readonly ReadRecord[]) => {
    await providers.find(accepted.map(({ finding }) => finding));
    for (const record of accepted) {
      const { account, providerType } = record.finding;
      const providerId = providers.idOf(record.finding);
      // The next attempt creates it again.
      if (providerId === undefined)
        throw new Error(
          `the provider of account ${account} (${providerType}) was deleted while its findings were being read`,
        );
      const scan = scans.add(providerId, record.finding);
      const before = references.omitted;
      rows.add(providerId, scan, record);
      scopes.add(providerId, record.finding);
      products.add(providerId, record.finding);
      if (references.omitted > before)
        omissions.push(omissionWarning(frame, record, references.omitted - before));
    }
  };
  const { parser, ...records } = await readFrame(context, frame, selection, watch, accept);
  const changes = new ChangeCounts();
  const isLate = await watch.step('merge', async () => {
    await stores.ensure(side, frame.tenantId, records.checks, references);
    parser.release();
    await holdCoverage(work, frame.tenantId);
    const found = {
      providerIds: scans.values().map(({ providerId }) => providerId),
      ids: () => rows.hexIds,
    };
    let own = NO_OWN_RECORDS;
    const merged = await findings.merge(work, frame, rows, async () => {
      own = await findOwnRecords(work, frame, found);
    });
    await assertNoneMissed(work, frame, found, { own, merged });
    await recordChanges(work, frame, { rows, merged, own }, changes);
    await resolveLate(work, frame, { earliest: scans.values(), ids: () => rows.hexIds, changes });
    await scopes.store(work, frame);
    const withinFrame = rows.duplicates.map((duplicate) => ({ ...duplicate, frame: frame.number }));
    const duplicates = await duplicateWarnings(work, frame, [...withinFrame, ...merged.duplicates]);
    for (const warning of [...omissions, ...duplicates]) records.warnings.add(warning);
    return hasLateRecords(frame, merged);
  });
  const outcome = { records: frame.records, givenUpAs: null, ...records };
  const endedJob = await watch.step('finish', async () => {
    const changedJobs = changes.ingestionIds.filter((id) => id !== frame.ingestionId);
    const ended = await finishFrame(work, frame, outcome, { ...limits, changedJobs, hasLateRecords: isLate });
    await updateScans(work, frame, scans.values());
    await changes.store(work, frame.tenantId);
    await products.store(work, frame.tenantId);
    await updateLastSeen(work, frame.tenantId, scans.values());
    if (findings.hasPreviousLayout) await updateFindingCounts(work, frame.tenantId);
    if (ended !== undefined) await recordJobEnd(work, frame, publicUrl);
    return ended;
  });
  return { result: 'processed', records: outcome.records, invalid: outcome.errors.counts, endedJob };
}

/**
 * Gives up on a frame after too many failed attempts. Its records are counted as invalid, with a single error for all
 * of them.
 */
export async function failFrame(
  { work, limits, publicUrl }: FrameContext,
  frame: FrameJob,
): Promise<FrameEnd> {
  const { records, firstRecord, byteOffset, failures, interruptions, fileFault } = frame;
  const code = fileFault ?? 'processing_failed';
  const which = `Records ${firstRecord} to ${firstRecord + records - 1}`;
  const error = {
    code,
    byteOffset,
    recordIndex: null,
    pointer: null,
    findingUid: null,
    detail:
      fileFault === null
        ? `${which} could not be processed after ${failures} internal errors and ${interruptions} interruptions. Contact the operator of the service.`
        : `${which} could not be read in ${interruptions} attempts: the stored file ${fileFault === 'file_missing' ? 'is missing' : 'is damaged'}. Upload the file again.`,
  };
  // If the frame has no records, no data is lost.
  const counts = records > 0 ? new Map([[error.code, records]]) : new Map<string, number>();
  const outcome: FrameOutcome = {
    records,
    givenUpAs: records > 0 ? code : null,
    errors: { counts, kept: records > 0 ? [error] : [] },
    warnings: { counts: new Map(), kept: [] },
    missing: new MissingAttributes(),
    // The actual count is unknown. Counting all records as Detection Findings prevents a `no_detection_findings` error.
    detectionFindings: records,
  };
  const endedJob = await finishFrame(work, frame, outcome, limits);
  if (endedJob !== undefined) await recordJobEnd(work, frame, publicUrl);
  return { result: 'given_up', records, invalid: counts, endedJob };
}
