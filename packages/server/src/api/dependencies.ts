import type pg from 'pg';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import type { Notifier } from '../db/notifier.ts';
import type { FrameThread } from '../frames/frame-thread.ts';
import type { HttpMetrics } from '../operations/metrics/http-metrics.ts';
import type { RateLimits } from '../plugins/rate-limits.ts';
import type { RetentionSettings } from '../retention/settings.ts';
import type { TenantSlots } from '../tenant-slots.ts';

/** Dependencies of the endpoints. */
export interface ApiDependencies {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
  readonly retention: RetentionSettings;
  readonly rates: RateLimits;
  /** Aborts uploads in progress when the grace period of a shutdown ends. Its reason is an ApiError. */
  readonly shutdownDeadline: AbortSignal;
  readonly metrics: HttpMetrics;
  /** Notifies workers of new frames. */
  readonly notifier: Notifier;
  readonly uploadSlots: TenantSlots;
  /** Base URL for links, without a trailing slash. Not known before the server listens. */
  readonly publicUrl: () => string;
  /** The base URL if a setting defines it. Only then can other machines be expected to reach it. */
  readonly configuredUrl: string | undefined;
}
