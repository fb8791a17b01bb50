import { parentPort, workerData } from 'node:worker_threads';
import { createFindingScanner } from '@sluice/ocsf';
import type { BlobWriter } from '../../blobs/blob-store.ts';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { codeOf, messageOf } from '../../lib/errors.ts';
import { lowerThreadPriority } from '../../lib/scheduling-priority.ts';
import type { FrameMessage, FrameRequest, FrameResponse, FrameThreadSettings } from './frame-thread.ts';
import { FrameWriter } from './frame-writer.ts';

// The entry point of the thread that splits, compresses and stores uploads. `frame-thread.ts` starts it.

lowerThreadPriority();

const settings: FrameThreadSettings = workerData;
const blobs = await openBlobStore(settings.blobStore, (report) =>
  parentPort?.postMessage(report satisfies FrameMessage),
);

/** Shared by all uploads, because each scan ends within one call. */
const scanner = createFindingScanner();

interface Upload {
  readonly blob: BlobWriter;
  readonly frames: FrameWriter;
  /** The buffer that `frames` is still reading. */
  inUse: ArrayBuffer | undefined;
}

/** The most recent step of each upload. Each step waits for the previous step, and fails if that step has failed. */
const uploads = new Map<number, Promise<Upload>>();

parentPort?.on('message', (request: FrameRequest) => {
  const { id } = request;
  switch (request.type) {
    case 'open':
      uploads.set(id, open(request.key));
      addStep(id, async () => {});
      break;
    case 'write':
      addStep(
        id,
        orUndo(async (upload) => {
          const { buffer, length } = request;
          await upload.frames.write(Buffer.from(buffer, 0, length));
          if (upload.inUse !== undefined)
            respond({ type: 'consumed', id, buffer: upload.inUse }, [upload.inUse]);
          upload.inUse = buffer;
        }),
      );
      break;
    case 'end':
      addStep(
        id,
        orUndo(async ({ blob, frames }) => {
          const written = await frames.end();
          await blob.commit();
          uploads.delete(id);
          respond({ type: 'ended', id, written });
        }),
      );
      break;
    case 'abort':
      addStep(id, async (upload) => {
        await undo(upload);
        // The upload is removed last, because failures are only sent for uploads in the map.
        uploads.delete(id);
        respond({ type: 'aborted', id });
      });
      break;
  }
});

async function open(key: string): Promise<Upload> {
  const blob = await blobs.create(key);
  return { blob, frames: new FrameWriter(blob, settings.limits, scanner), inUse: undefined };
}

/**
 * Runs a step of an upload after its previous steps. The first failure is sent as the response and ends the upload.
 */
function addStep(id: number, step: (upload: Upload) => Promise<void>): void {
  const before = uploads.get(id);
  if (before === undefined) return;
  const next = before.then(async (upload) => {
    await step(upload);
    return upload;
  });
  uploads.set(id, next);
  next.catch((error: unknown) => {
    if (uploads.delete(id)) respond({ type: 'failed', id, error, code: codeOf(error) });
  });
}

/** Wraps a step so that its failure undoes the upload. */
function orUndo(step: (upload: Upload) => Promise<void>): (upload: Upload) => Promise<void> {
  return async (upload) => {
    try {
      await step(upload);
    } catch (error) {
      await undo(upload).catch((undoError: unknown) => {
        const reason = `${messageOf(error)}; the stored data could not be removed: ${messageOf(undoError)}`;
        throw Object.assign(new Error(reason, { cause: error }), { code: codeOf(error) });
      });
      throw error;
    }
  };
}

async function undo({ blob, frames }: Upload): Promise<void> {
  await frames.abort();
  await blob.abort();
}

function respond(message: FrameResponse, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
