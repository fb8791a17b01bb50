import type { FieldReader } from '@sluice/ocsf';
import type pg from 'pg';
import { blobKey } from '../blob-store/blob-key.ts';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import { inflateFrame } from '../frames/read-frame.ts';
import { releaseBuffer } from '../reclaim-memory.ts';
import type { FrameJob } from './claim.ts';
import { CopyRows } from './copy-rows.ts';
import { countFindings } from './count-findings.ts';
import { countScans } from './count-scans.ts';
import type { CheckKeeper } from './ensure-checks.ts';
import { FrameProviders } from './ensure-providers.ts';
import type { Exclusive } from './exclusive.ts';
import { type FrameOutcome, finishFrame } from './finish-frame.ts';
import type { FrameEnd, FrameWatch } from './frame-watch.ts';
import { mergeFindings } from './merge-findings.ts';
import { type FrameRecords, type ReadRecord, readRecords } from './read-records.ts';
import { ScanTallies } from './scan-tallies.ts';

export interface FrameContext {
  /** Holds the claim; all that the frame changes for itself happens in its open transaction. */
  readonly work: pg.Client;
  /** For the short transactions of what frames share. */
  readonly side: pg.Client;
  readonly isSideLost: () => boolean;
  readonly blobs: BlobStore;
  readonly checks: CheckKeeper;
  /** The thread parses one frame at a time, while PostgreSQL merges others. */
  readonly fieldReader: Exclusive<FieldReader>;
  readonly limits: Limits;
}

/** Does all the work of a claimed frame in the open transaction; the caller commits. */
export async function processFrame(
  context: FrameContext,
  frame: FrameJob,
  watch: FrameWatch,
): Promise<FrameEnd> {
  const { work, side, blobs, checks, limits } = context;
  const key = blobKey(frame.tenantId, frame.ingestionId, frame.requestedAt);
  const stored = await watch.step('read', () => blobs.read(key, frame.blobOffset, frame.blobBytes));
  const defaults = {
    provider: frame.defaultProvider,
    account: frame.defaultAccount,
    time: frame.requestedAt.getTime(),
  };
  const providers = new FrameProviders(side, frame.tenantId);
  const rows = new CopyRows(frame.records);
  const scans = new ScanTallies();
  const take = async (taken: readonly ReadRecord[]) => {
    await providers.ensure(taken.map(({ finding }) => finding));
    for (const record of taken) {
      const providerId = providers.idOf(record.finding);
      scans.add(providerId, record.finding);
      rows.add(providerId, record);
    }
  };
  const records = await context.fieldReader.use((fieldReader) =>
    watch.step('parse', async () => {
      const content = inflateFrame(stored, frame);
      releaseBuffer(stored);
      const read = await readRecords(content, frame, defaults, limits, fieldReader, take);
      releaseBuffer(content.bytes);
      return read;
    }),
  );
  await watch.step('merge', async () => {
    await checks.ensure(side, frame.tenantId, records.checks);
    await mergeFindings(work, frame, rows);
  });
  const outcome = outcomeOf(frame, records);
  const endedJob = await watch.step('finish', async () => {
    const ended = await finishFrame(work, frame, outcome, limits.errorsKeptPerJob);
    await countScans(work, frame, scans.values());
    await countFindings(work, frame.tenantId);
    return ended;
  });
  return { result: 'processed', records: outcome.records, invalid: outcome.invalid, endedJob };
}

/** Gives a frame up whose work fails again and again: its records count as invalid, with one error for all. */
export async function failFrame({ work, limits }: FrameContext, frame: FrameJob): Promise<FrameEnd> {
  const last = frame.firstRecord + frame.records - 1;
  const outcome: FrameOutcome = {
    records: frame.records,
    invalid: frame.records > 0 ? new Map([['processing_failed', frame.records]]) : new Map(),
    // A frame without records has nothing to lose.
    errors:
      frame.records === 0
        ? []
        : [
            {
              code: 'processing_failed',
              byteOffset: frame.byteOffset,
              recordIndex: null,
              pointer: null,
              findingUid: null,
              detail: `Records ${frame.firstRecord} to ${last} could not be processed, by a fault of the service; it failed ${frame.failures} times and was cut off ${frame.interruptions} times`,
            },
          ],
    // Unknown; counting them keeps the job from claiming that there were none.
    detectionFindings: frame.records,
  };
  const endedJob = await finishFrame(work, frame, outcome, limits.errorsKeptPerJob);
  return { result: 'given_up', records: outcome.records, invalid: outcome.invalid, endedJob };
}

function outcomeOf(frame: FrameJob, { errors, detectionFindings }: FrameRecords): FrameOutcome {
  const invalid = new Map<string, number>();
  for (const { code } of errors) invalid.set(code, (invalid.get(code) ?? 0) + 1);
  return { records: frame.records, invalid, errors, detectionFindings };
}
