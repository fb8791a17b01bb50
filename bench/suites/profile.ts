import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { generateScans } from '../generate-scans.ts';
import { describeProfiles } from '../profile/describe-profiles.ts';
import { type IngestProfile, profileIngestion } from '../profile/profile-ingestion.ts';
import { withService } from '../service.ts';
import type { Result, Suite } from '../suite.ts';

/** Which threads and processes the time of an ingestion goes to. */
export const PROFILE: Suite = {
  name: 'profile',
  run: async ({ folder, rounds, records }) => {
    const results: Result[] = [];
    for (const number of records) {
      const scans = await generateScans(folder, number);
      const fresh: IngestProfile[] = [];
      const repeated: IngestProfile[] = [];
      for (let round = 0; round < rounds; round++)
        await withService(async (service) => {
          fresh.push(await profileIngestion(service, scans.fresh.path));
          repeated.push(await profileIngestion(service, scans.again.path));
        });
      await Promise.all([scans.fresh, scans.again].map((file) => rm(file.path)));
      results.push(
        describeProfiles(`${number} new findings`, fresh, availableParallelism()),
        describeProfiles(`the same ${number} findings again`, repeated, availableParallelism()),
      );
    }
    return results;
  },
};
