import type pg from 'pg';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Limits } from '../../config/config.ts';
import type { RetentionSettings } from '../../config/retention-settings.ts';
import type { Notifier } from '../../db/notifications.ts';
import type { FrameThread } from '../../ingest/frames/frame-thread.ts';
import type { TenantSlots } from '../../lib/tenant-slots.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import type { RateLimits } from '../plugins/rate-limits.ts';

export interface ApiDependencies {
  readonly pool: pg.Pool;
  /** One connection per export. */
  readonly exportPool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
  readonly retention: RetentionSettings;
  readonly rates: RateLimits;
  /** Aborts uploads in progress when the shutdown grace period ends. The abort reason is an ApiError. */
  readonly shutdownDeadline: AbortSignal;
  readonly metrics: HttpMetrics;
  /** Notifies workers of new frames. */
  readonly notifier: Notifier;
  readonly uploadSlots: TenantSlots;
  /** Base URL for links, without a trailing slash. Available once the server is listening. */
  readonly publicUrl: () => string;
  /**
   * URL of the console page that lists scans. `undefined` if no base URL is configured: a base URL that is not
   * configured may be unreachable from other machines.
   */
  readonly scansUrl: string | undefined;
  /** Whether webhooks can be sent to addresses that are not public, and without TLS. */
  readonly webhooksAllowPrivateAddresses: boolean;
}
