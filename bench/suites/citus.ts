import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createOwnCitusDatabase,
  getCitusSkipReason,
  type OwnCitusDatabase,
  onNode,
} from '../../packages/server/test/support/citus.ts';
import { type Client, createClient } from '../../packages/server/test/support/client.ts';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import { publishSharedFolder } from '../../packages/server/test/support/embedded-template.ts';
import type { Operator } from '../../packages/server/test/support/operator.ts';
import { type Service, startService } from '../../packages/server/test/support/service.ts';
import { type AdverseFile, writeAdverseFiles } from '../adverse/write-adverse-files.ts';
import { createSingleDatabase, distribute } from '../citus/databases.ts';
import { findPostmasterOf, measureRoles, type RoleCost, type Roles } from '../citus/measure-roles.ts';
import { median } from '../median.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import { postFile } from '../post-file.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { pidOf, waitForJob } from '../service.ts';
import type { BenchContext, Result, Suite, Target } from '../suite.ts';

/** The first requests of a person, as the console sends them. */
const READS = [
  '/findings/summary',
  '/findings/trend',
  '/findings?page[size]=50&sort=-severity&filter[status]=FAIL',
  '/findings/groups?by=check',
  '/providers',
];
const REPETITIONS = 40;
/** Longer than the interval of autovacuum, which is a minute. */
const VACUUM_MS = 70_000;
const VACUUMING = `select from pg_stat_activity where backend_type = 'autovacuum worker'`;
const TOTAL_TARGET = 1.6;
const COORDINATOR_TARGET = 1 / 3;

/** The costs of the same work on both databases, in each round. */
interface Comparison {
  readonly measured: string;
  /** CPU times are multiplied by this, for the unit in `measured`. */
  readonly scale: number;
  readonly single: RoleCost[];
  readonly cluster: RoleCost[];
}

/**
 * CPU time by role on a Citus cluster with a coordinator and two workers on this machine, compared with a database that
 * is not distributed on the server of the coordinator.
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
  // The servers run as another user.
  await chmod(folder, 0o755);
  publishSharedFolder(folder);
  const [generated, mixed] = await writeAdverseFiles(folder, records);
  const files = [generated, mixed].filter((file) => file !== undefined);
  const comparisons = [
    ...files.flatMap((file) => comparisonsOf(file, records)),
    comparison(`vacuum after ${files.length * 2} uploads, and idle for ${VACUUM_MS / 1000} seconds`, 1),
  ];
  const citus = await createOwnCitusDatabase();
  try {
    const urls = { single: await createSingleDatabase(citus), cluster: await distribute(citus) };
    for (let round = 0; round < rounds; round++)
      for (const database of ['single', 'cluster'] as const) {
        const costs = await measureFiles(
          citus,
          urls[database],
          pathToFileURL(path.join(folder, database)).href,
          files,
        );
        for (const [at, cost] of costs.entries()) comparisons[at]?.[database].push(cost);
      }
  } finally {
    await citus.remove();
  }
  return {
    title: `citus: CPU seconds by role; a single server, and a cluster with two workers on the same machine; ${records} records per file; median of ${rounds} rounds`,
    rows: comparisons.flatMap(rowsOf),
    targets: comparisons.flatMap(targetsOf),
  };
}

function comparison(measured: string, scale: number): Comparison {
  return { measured, scale, single: [], cluster: [] };
}

function comparisonsOf({ description }: AdverseFile, records: number): readonly Comparison[] {
  return [
    comparison(`100,000 new records, ${description}`, 100_000 / records),
    comparison(`100,000 known records, ${description}`, 100_000 / records),
    comparison(`1,000 reads, ${description}`, 1000 / (REPETITIONS * READS.length)),
  ];
}

/**
 * Ingests both scans of each file for a new tenant, waits until their findings have been vacuumed, and reads. Returns
 * the costs in the order of `comparisonsOf`, and the cost of the wait.
 */
async function measureFiles(
  citus: OwnCitusDatabase,
  databaseUrl: string,
  blobs: string,
  files: readonly AdverseFile[],
): Promise<readonly RoleCost[]> {
  const service = await startService({
    NODE_ENV: 'production',
    ...NO_SIZE_LIMITS,
    DATABASE_URL: databaseUrl,
    SLUICE_BLOB_STORE: blobs,
  });
  try {
    const roles: Roles = {
      service: pidOf(service),
      coordinator: await findPostmasterOf(citus.url),
      workers: await Promise.all(citus.workers.map(findPostmasterOf)),
    };
    const operator: Operator = {
      sluiceJson: async (...args) => JSON.parse((await service.sluice(...args, '--json')).stdout),
    };
    // Otherwise, autovacuum would run during one of the uploads, at random.
    await setAutovacuum(citus, 'off');
    const tenants: { readonly key: string; readonly costs: RoleCost[] }[] = [];
    for (const file of files) {
      const key = await createTenantKey(operator);
      const costs: RoleCost[] = [];
      for (const scan of [file, file.again ?? file])
        costs.push(await measureRoles(roles, () => ingest(service, key, scan.path)));
      tenants.push({ key, costs });
    }
    await setAutovacuum(citus, 'on');
    const vacuum = await measureRoles(roles, () => waitForVacuum(citus));
    await setAutovacuum(citus, 'off');
    for (const { key, costs } of tenants)
      costs.push(await measureRoles(roles, () => read(createClient(service.url, key))));
    return [...tenants.flatMap(({ costs }) => costs), vacuum];
  } finally {
    await service.end();
  }
}

async function ingest({ url }: Service, key: string, file: string): Promise<void> {
  await waitForJob(createClient(url, key), await postFile({ url, key }, file));
}

async function setAutovacuum({ url, workers }: OwnCitusDatabase, value: 'on' | 'off'): Promise<void> {
  for (const server of [url, ...workers]) {
    await onNode(server, `alter system set autovacuum = ${value}`);
    await onNode(server, 'select pg_reload_conf()');
  }
}

/** Waits until autovacuum has looked for work in each database, and has done it. */
async function waitForVacuum({ url, workers }: OwnCitusDatabase): Promise<void> {
  await sleep(VACUUM_MS);
  for (const server of [url, ...workers])
    while ((await onNode(server, VACUUMING)).length > 0) await sleep(1000);
}

async function read(client: Client): Promise<void> {
  for (let repetition = 0; repetition < REPETITIONS; repetition++)
    for (const path of READS) {
      const { status, text } = await client.get(path);
      if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
    }
}

function rowsOf({ measured, scale, single, cluster }: Comparison): Result['rows'] {
  const row = (database: string, costs: readonly RoleCost[]) => {
    const of = (value: (cost: RoleCost) => number) =>
      roundToThreeDigits(scale * median(costs.map((cost) => value(cost))));
    return {
      measured,
      database,
      seconds: of(({ seconds }) => seconds),
      'service CPU s': of(({ service }) => service),
      'coordinator CPU s': of(({ coordinator }) => coordinator),
      'workers CPU s': of(({ workers }) => workers),
    };
  };
  const ratios = (of: (comparison: Pick<Comparison, 'single' | 'cluster'>) => readonly number[]) =>
    roundToThreeDigits(median(of({ single, cluster })));
  return [
    {
      ...row('single', single),
      'PostgreSQL CPU, ratio': '',
      'all CPU, ratio': '',
      "coordinator's share": '',
    },
    {
      ...row('cluster', cluster),
      'PostgreSQL CPU, ratio': ratios(postgresRatios),
      'all CPU, ratio': ratios(allRatios),
      "coordinator's share": ratios(coordinatorShares),
    },
  ];
}

function targetsOf(comparison: Comparison): readonly Target[] {
  const { measured } = comparison;
  return [
    {
      measure: `${measured}: PostgreSQL CPU of the cluster, relative to a single server`,
      rounds: postgresRatios(comparison),
      bound: 'at most',
      target: TOTAL_TARGET,
    },
    {
      measure: `${measured}: the coordinator's share of the cluster's PostgreSQL CPU`,
      rounds: coordinatorShares(comparison),
      bound: 'at most',
      target: COORDINATOR_TARGET,
    },
  ];
}

const postgresCpu = ({ coordinator, workers }: RoleCost) => coordinator + workers;

/** While the single server is measured, the workers of the cluster are idle. */
function postgresRatios({ single, cluster }: Pick<Comparison, 'single' | 'cluster'>): readonly number[] {
  return cluster.map((cost, round) => postgresCpu(cost) / (single[round]?.coordinator ?? Number.NaN));
}

function allRatios({ single, cluster }: Pick<Comparison, 'single' | 'cluster'>): readonly number[] {
  const all = (cost: RoleCost | undefined) => (cost ? cost.service + postgresCpu(cost) : Number.NaN);
  return cluster.map((cost, round) => all(cost) / all(single[round]));
}

function coordinatorShares({ cluster }: Pick<Comparison, 'cluster'>): readonly number[] {
  return cluster.map((cost) => cost.coordinator / postgresCpu(cost));
}
