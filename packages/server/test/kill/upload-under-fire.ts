import type { Faults } from './faults.ts';
import type { KilledService } from './killed-service.ts';
import type { PlannedUpload } from './planned-upload.ts';
import { GIVEN_UP, type SentUpload, uploadAgainAndAgain } from './uploader.ts';

/** When nothing is killed any more, every upload has an answer long before. */
const GIVE_UP_MS = 120_000;

/** All uploads of all tenants, at the same time. */
export interface UploadsUnderFire {
  /** How many are under way at the API of this address. */
  readonly at: (url: string | undefined) => number;
  /** Begins no further ones, and gives back by tenant what was sent. */
  readonly stop: () => Promise<SentUpload[][]>;
}

export function uploadUnderFire(
  service: KilledService,
  uploadersPerTenant: number,
  planOf: (tenant: number, number: number) => PlannedUpload,
  faults: Faults,
): UploadsUnderFire {
  const underWay = new Map<string, number>();
  const stop = new AbortController();
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<typeof GIVEN_UP>();
  const uploading = service.tenantKeys.map(async (key, tenant) => {
    let numbers = 0;
    const uploader = {
      service,
      key,
      faults,
      signal: stop.signal,
      givenUp,
      underWay: (url: string, change: number) => underWay.set(url, (underWay.get(url) ?? 0) + change),
      next: () => ({ number: numbers, plan: planOf(tenant, numbers++) }),
    };
    const uploaders = Array.from({ length: uploadersPerTenant }, () => uploadAgainAndAgain(uploader));
    return (await Promise.all(uploaders)).flat();
  });
  // Looked at from the start, so that one that fails is told at the end and ends nothing before.
  const settled = Promise.allSettled(uploading);
  return {
    at: (url = '') => underWay.get(url) ?? 0,
    stop: async () => {
      stop.abort();
      const patience = setTimeout(() => giveUp(GIVEN_UP), GIVE_UP_MS);
      const all = await settled;
      clearTimeout(patience);
      return all.map((upload) => {
        if (upload.status === 'rejected') throw upload.reason;
        return upload.value;
      });
    },
  };
}
