import type { Scans } from '../generate-scans.ts';
import { median } from '../median.ts';
import { medianCost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import { costRow } from './cost-row.ts';
import type { RoleCost, RoleCosts, RoleScans } from './ingest-by-role.ts';
import type { IngestCosts } from './measure-ingestion.ts';

interface Variants {
  readonly s3: readonly IngestCosts[];
  readonly tenants: readonly IngestCosts[];
  readonly tenantCount: number;
  /** What each tenant uploads. */
  readonly parts: Scans;
}

/** The same with S3, and with several tenants. */
export function describeVariants(
  { fresh, again }: Scans,
  { s3, tenants, tenantCount, parts }: Variants,
): Result {
  const all = (part: Scans['fresh']) => ({
    records: part.records * tenantCount,
    bytes: part.bytes * tenantCount,
  });
  return {
    title: `ingest: ${fresh.records} records, other ways; median of ${s3.length}`,
    rows: [
      costRow('S3 in memory, new findings', fresh, medianCost(s3.map((costs) => costs.fresh))),
      costRow('S3 in memory, the same findings again', again, medianCost(s3.map((costs) => costs.repeated))),
      costRow(
        `${tenantCount} tenants, new findings`,
        all(parts.fresh),
        medianCost(tenants.map((costs) => costs.fresh)),
      ),
      costRow(
        `${tenantCount} tenants, the same findings again`,
        all(parts.again),
        medianCost(tenants.map((costs) => costs.repeated)),
      ),
    ],
  };
}

/** Which process works how much: one for each role, one tenant, file store. */
export function describeRoles(records: number, rounds: readonly RoleScans[]): Result {
  const row = (what: string, costs: readonly Omit<RoleCost, 'peakMiB'>[], peaks?: readonly number[]) => {
    const cpuSeconds = median(costs.map((cost) => cost.cpuSeconds));
    return {
      what,
      'CPU s': roundToThreeDigits(cpuSeconds),
      'CPU s per 100,000': roundToThreeDigits((cpuSeconds * 100_000) / records),
      'peak MiB': peaks === undefined ? '-' : Math.round(median(peaks)),
      'B written/record': Math.round(median(costs.map((cost) => cost.writtenBytes)) / records),
    };
  };
  const role = (what: string, costs: readonly RoleCost[]) =>
    row(
      what,
      costs,
      costs.map((cost) => cost.peakMiB),
    );
  const scan = (what: string, costs: readonly RoleCosts[]) => [
    role(
      `API, ${what}`,
      costs.map(({ api }) => api),
    ),
    role(
      `worker, ${what}`,
      costs.map(({ worker }) => worker),
    ),
    row(
      `PostgreSQL, ${what}`,
      costs.map(({ together }) => ({
        cpuSeconds: together.postgresCpuSeconds,
        writtenBytes: together.postgresWrittenBytes,
      })),
    ),
  ];
  const fresh = rounds.map((round) => round.fresh);
  const repeated = rounds.map((round) => round.repeated);
  return {
    title: `ingest: ${records} records by an API process and a worker process; median of ${rounds.length}`,
    rows: [...scan('new findings', fresh), ...scan('the same findings again', repeated)],
  };
}
