import type { Faults } from './faults.ts';
import type { KilledService } from './killed-service.ts';
import type { PlannedUpload } from './planned-upload.ts';
import { GIVEN_UP, type SentUpload, uploadUntilAborted } from './uploader.ts';

/** After the last kill, every upload gets a response well within this time. */
const GIVE_UP_MS = 120_000;

/** Runs all uploads of all tenants concurrently. */
export interface UploadsDuringKills {
  /** Returns the number of uploads in progress at the API with this address. */
  readonly at: (url: string | undefined) => number;
  /** Starts no more uploads, waits for uploads in progress, and returns all uploads by tenant. */
  readonly stop: () => Promise<SentUpload[][]>;
}

export function uploadDuringKills(
  service: KilledService,
  uploadersPerTenant: number,
  planOf: (tenant: number, number: number) => PlannedUpload,
  faults: Faults,
): UploadsDuringKills {
  const inProgress = new Map<string, number>();
  const stop = new AbortController();
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<typeof GIVEN_UP>();
  const uploading = service.tenantKeys.map(async (key, tenant) => {
    let nextNumber = 0;
    const uploader = {
      service,
      key,
      faults,
      signal: stop.signal,
      givenUp,
      onProgress: (url: string, change: number) => inProgress.set(url, (inProgress.get(url) ?? 0) + change),
      next: () => ({ number: nextNumber, plan: planOf(tenant, nextNumber++) }),
    };
    const uploaders = Array.from({ length: uploadersPerTenant }, () => uploadUntilAborted(uploader));
    return (await Promise.all(uploaders)).flat();
  });
  // Handles rejections from the start, so that no unhandled rejection is reported before the end.
  const settled = Promise.allSettled(uploading);
  return {
    at: (url = '') => inProgress.get(url) ?? 0,
    stop: async () => {
      stop.abort();
      const timeout = setTimeout(() => giveUp(GIVEN_UP), GIVE_UP_MS);
      const all = await settled;
      clearTimeout(timeout);
      return all.map((upload) => {
        if (upload.status === 'rejected') throw upload.reason;
        return upload.value;
      });
    },
  };
}
