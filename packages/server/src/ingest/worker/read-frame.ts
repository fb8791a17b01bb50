import { blobKey } from '../../blobs/blob-store.ts';
import { collectGrownHeap, releaseBuffer } from '../../lib/reclaim-memory.ts';
import { readBlob, readStoredFrame } from '../frames/stored-frame.ts';
import type { FrameJob } from './claim.ts';
import type { FrameWatch } from './frame-watch.ts';
import type { FrameContext } from './process-frame.ts';
import { type FrameRecords, type ReadRecord, readRecords, type Selection } from './read-records.ts';
import { RecordParser } from './record-parser.ts';

/** Reads the selected records of a stored frame. The caller must release the parser. */
export async function readFrame(
  { blobs, scanner, parseQueue, stores, limits, conformance }: FrameContext,
  frame: FrameJob,
  selection: Selection,
  watch: Pick<FrameWatch, 'step'>,
  accept: (records: readonly ReadRecord[]) => Promise<void>,
): Promise<FrameRecords & { readonly parser: RecordParser }> {
  const key = blobKey(frame.tenantId, frame.ingestionId, frame.requestedAt);
  const range = { offset: frame.blobOffset, length: frame.blobBytes };
  const stored = await watch.step('read', () => readBlob(blobs, key, range));
  const defaults = {
    provider: frame.defaultProvider,
    account: frame.defaultAccount,
    time: frame.defaultTime.getTime(),
  };
  return await parseQueue(() => {
    collectGrownHeap();
    return watch.step('parse', async () => {
      const parser = new RecordParser(readStoredFrame(stored, frame), scanner, stores);
      const records = await readRecords(
        parser,
        selection,
        frame,
        defaults,
        { ...limits, conformance },
        accept,
      );
      parser.releaseData();
      releaseBuffer(stored);
      return { parser, ...records };
    });
  });
}
