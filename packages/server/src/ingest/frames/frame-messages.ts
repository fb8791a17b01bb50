import type { RecordLimits } from '@sluice/ocsf';
import type { BlobReport } from '../../blobs/instrumented-blob-store.ts';
import type { BlobStoreSettings } from '../../config/blob-store-settings.ts';
import type { WrittenFrames } from './frame-writer.ts';

/** Settings of the frame thread. */
export interface FrameThreadSettings {
  readonly blobStore: BlobStoreSettings;
  readonly limits: RecordLimits;
}

/** Requests to the frame thread. `id` identifies the upload. */
export type FrameRequest =
  | { readonly type: 'open'; readonly id: number; readonly key: string }
  /** The buffer is transferred, and returned with `consumed`. */
  | { readonly type: 'write'; readonly id: number; readonly buffer: ArrayBuffer; readonly length: number }
  | { readonly type: 'end' | 'abort'; readonly id: number };

/** Responses of the frame thread. After `ended`, `failed` or `aborted`, the id is not used again. */
export type FrameResponse =
  | { readonly type: 'consumed'; readonly id: number; readonly buffer: ArrayBuffer }
  | { readonly type: 'ended'; readonly id: number; readonly written: WrittenFrames }
  /** The code is separate, because errors lose it when they are sent to another thread. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly error: unknown;
      readonly code?: string | undefined;
    }
  | { readonly type: 'aborted'; readonly id: number };

/** Messages of the frame thread: results of uploads, and reports of blob store operations. */
export type FrameMessage = FrameResponse | BlobReport;
