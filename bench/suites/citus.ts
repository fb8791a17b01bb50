import { randomUUID } from 'node:crypto';
import {
  createOwnCitusDatabase,
  getCitusSkipReason,
  type OwnCitusDatabase,
  onNode,
} from '../../packages/server/test/support/citus.ts';
import { createClient } from '../../packages/server/test/support/client.ts';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import { publishSharedFolder } from '../../packages/server/test/support/embedded-template.ts';
import { type Service, startService } from '../../packages/server/test/support/service.ts';
import { type AdverseFile, writeAdverseFiles } from '../adverse/write-adverse-files.ts';
import { findPostmasterOf, measureRoles, type RoleCost, type Roles } from '../citus/measure-roles.ts';
import { median } from '../median.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import { postFile } from '../post-file.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { pidOf, waitForJob } from '../service.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';

const FILES = 2;
const SHARDS = 32;
/** The first requests of a person, in the console. */
const READS = [
  '/findings/summary',
  '/findings/trend',
  '/findings?page[size]=50&sort=-severity&filter[status]=FAIL',
  '/findings/groups?by=check',
  '/providers',
];
const REPETITIONS = 40;
const TOTAL_TARGET = 1.6;
const COORDINATOR_TARGET = 1 / 3;

/** The costs of a measurement on a single server and on the cluster, by round. */
interface Comparison {
  readonly measured: string;
  /** CPU times are scaled by this factor, to the unit in `measured`. */
  readonly scale: number;
  readonly single: RoleCost[];
  readonly cluster: RoleCost[];
}

/**
 * CPU time by role on a Citus cluster with two workers on this machine, compared with a plain database on one of its
 * servers.
 */
export const CITUS: Suite = {
  name: 'citus',
  run: async (context) => {
    const reason = getCitusSkipReason();
    if (reason === undefined) return [await compare(context, Math.min(...context.records))];
    process.stderr.write(`Skipping the suite citus: it ${reason}.\n`);
    return [];
  },
};

async function compare({ folder, rounds }: BenchContext, records: number): Promise<Result> {
  publishSharedFolder(folder);
  const files = (await writeAdverseFiles(folder, records)).slice(0, FILES);
  const citus = await createOwnCitusDatabase();
  try {
    const comparisons = files.flatMap((file) => comparisonsOf(file, records));
    await createDatabases(citus);
    for (let round = 0; round < rounds; round++)
      for (const database of ['single', 'cluster'] as const) {
        const costs = await withService(citus, database, (service, roles) => measureFiles(service, roles, files));
        for (const [at, cost] of costs.entries()) comparisons[at]?.[database].push(cost);
      }
    return describe(comparisons, records, rounds);
  } finally {
    await citus.remove();
  }
}

function comparisonsOf({ description }: AdverseFile, records: number): readonly Comparison[] {
  const comparison = (measured: string, scale: number) => ({ measured, scale, single: [], cluster: [] });
  const perRecords = 100_000 / records;
  return [
    comparison(`100,000 new records, ${description}`, perRecords),
    comparison(`100,000 known records, ${description}`, perRecords),
    comparison(`1,000 reads, ${description}`, 1000 / (REPETITIONS * READS.length)),
  ];
}

/** Ingests the scans of each file for a new tenant, and reads. Returns the costs in the order of `comparisonsOf`. */
async function measureFiles(
  service: Service,
  roles: Roles,
  files: readonly AdverseFile[],
): Promise<readonly RoleCost[]> {
  const costs: RoleCost[] = [];
  for (const file of files) {
    const client = createClient(service.url, await createTenantKey(service));
    for (const scan of [file, file.again ?? file])
      costs.push(
        await measureRoles(roles, async () => {
          await waitForJob(client, await postFile({ url: service.url, key: client.key }, scan.path));
        }),
      );
    costs.push(await measureRoles(roles, () => readRepeatedly(client)));
  }
  return costs;
}
