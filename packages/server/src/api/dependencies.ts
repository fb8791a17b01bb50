import type pg from 'pg';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import type { Notifier } from '../db/notifier.ts';
import type { FrameThread } from '../frames/frame-thread.ts';
import type { HousekeepingSettings } from '../housekeeping/settings.ts';
import type { HttpMetrics } from '../operations/metrics/http-metrics.ts';
import type { RateLimits } from '../plugins/rate-limits.ts';
import type { TenantTurns } from '../tenant-turns.ts';

/** What endpoints work with. */
export interface ApiDependencies {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
  readonly housekeeping: HousekeepingSettings;
  readonly rates: RateLimits;
  /** Fires during a stop, when what is still coming in has had its time; the reason is an ApiError. */
  readonly shutdownDeadline: AbortSignal;
  readonly metrics: HttpMetrics;
  /** Wakes workers for new frames. */
  readonly notifier: Notifier;
  readonly uploadTurns: TenantTurns;
  /** The address to use in links, once it is known; without a slash at its end. */
  readonly publicUrl: () => string;
  /** The same where a setting gives it: only then it is sure to lead here from elsewhere. */
  readonly configuredUrl: string | undefined;
}
