import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { generateScans } from '../generate-scans.ts';
import { describeProfiles } from '../profile/describe-profiles.ts';
import { type IngestProfile, profileIngestion } from '../profile/profile-ingestion.ts';
import { withService } from '../service.ts';
import type { Result, Suite } from '../suite.ts';

/** The CPU time of an ingestion by thread and process. */
export const PROFILE: Suite = {
  name: 'profile',
  run: async ({ folder, rounds, records }) => {
    const results: Result[] = [];
    for (const count of records) {
      const scans = await generateScans(folder, count);
      const fresh: IngestProfile[] = [];
      const repeated: IngestProfile[] = [];
      for (let round = 0; round < rounds; round++)
        await withService(async (service) => {
          fresh.push(await profileIngestion(service, scans.fresh.path));
          repeated.push(await profileIngestion(service, scans.repeated.path));
        });
      await Promise.all([scans.fresh, scans.repeated].map((file) => rm(file.path)));
      results.push(
        describeProfiles(`${count} new findings`, fresh, availableParallelism()),
        describeProfiles(`${count} repeated findings`, repeated, availableParallelism()),
      );
    }
    return results;
  },
};
