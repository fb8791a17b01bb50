import type { RecordLimits } from '@sluice/ocsf';
import type { BlobStoreSettings } from '../blob-store/blob-store-settings.ts';
import type { BlobReport } from '../blob-store/instrumented-blob-store.ts';
import type { WrittenFrames } from './frame-writer.ts';

/** How a frame thread is set up. */
export interface FrameThreadSettings {
  readonly blobStore: BlobStoreSettings;
  readonly limits: RecordLimits;
}

/** What is asked of the frame thread; `id` tells the uploads apart that it works on. */
export type FrameRequest =
  | { readonly type: 'open'; readonly id: number; readonly key: string }
  /** The buffer is handed over, and back with `taken`. */
  | { readonly type: 'write'; readonly id: number; readonly buffer: ArrayBuffer; readonly length: number }
  | { readonly type: 'end' | 'abort'; readonly id: number };

/** What it answers. After `ended`, `failed` or `aborted` an id is not used again. */
export type FrameResponse =
  | { readonly type: 'taken'; readonly id: number; readonly buffer: ArrayBuffer }
  | { readonly type: 'ended'; readonly id: number; readonly written: WrittenFrames }
  /** The code stands by itself: an error that crosses into another thread loses it. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly error: unknown;
      readonly code?: string | undefined;
    }
  | { readonly type: 'aborted'; readonly id: number };

/** Messages of the frame thread: results of uploads, and operations on the blob store. */
export type FrameMessage = FrameResponse | BlobReport;
