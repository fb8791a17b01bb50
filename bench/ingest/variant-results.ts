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
  /** The files that each tenant uploads. */
  readonly parts: Scans;
}

/** Ingestion with S3, and with several tenants. */
export function describeVariants(
  { fresh, repeated }: Scans,
  { s3, tenants, tenantCount, parts }: Variants,
): Result {
  const all = (part: Scans['fresh']) => ({
    records: part.records * tenantCount,
    bytes: part.bytes * tenantCount,
  });
  return {
    title: `ingest: ${fresh.records} records, variants; median of ${s3.length} rounds`,
    rows: [
      costRow('S3 in memory, new findings', fresh, medianCost(s3.map((costs) => costs.fresh))),
      costRow('S3 in memory, repeated findings', repeated, medianCost(s3.map((costs) => costs.repeated))),
      costRow(
        `${tenantCount} tenants, new findings`,
        all(parts.fresh),
        medianCost(tenants.map((costs) => costs.fresh)),
      ),
      costRow(
        `${tenantCount} tenants, repeated findings`,
        all(parts.repeated),
        medianCost(tenants.map((costs) => costs.repeated)),
      ),
    ],
  };
}

/** Resource usage per process, with one process per role, one tenant and a file store. */
export function describeRoles(records: number, rounds: readonly RoleScans[]): Result {
  const row = (label: string, costs: readonly Omit<RoleCost, 'peakMiB'>[], peaks?: readonly number[]) => {
    const cpuSeconds = median(costs.map((cost) => cost.cpuSeconds));
    return {
      process: label,
      'CPU s': roundToThreeDigits(cpuSeconds),
      'CPU s per 100,000 records': roundToThreeDigits((cpuSeconds * 100_000) / records),
      'peak MiB': peaks === undefined ? '-' : Math.round(median(peaks)),
      'B written/record': Math.round(median(costs.map((cost) => cost.writtenBytes)) / records),
    };
  };
  const role = (label: string, costs: readonly RoleCost[]) =>
    row(
      label,
      costs,
      costs.map((cost) => cost.peakMiB),
    );
  const scan = (label: string, costs: readonly RoleCosts[]) => [
    role(
      `API, ${label}`,
      costs.map(({ api }) => api),
    ),
    role(
      `worker, ${label}`,
      costs.map(({ worker }) => worker),
    ),
    row(
      `PostgreSQL, ${label}`,
      costs.map(({ together }) => ({
        cpuSeconds: together.postgresCpuSeconds,
        writtenBytes: together.postgresWrittenBytes,
      })),
    ),
  ];
  const fresh = rounds.map((round) => round.fresh);
  const repeated = rounds.map((round) => round.repeated);
  return {
    title: `ingest: ${records} records with an API process and a worker process; median of ${rounds.length} rounds`,
    rows: [...scan('new findings', fresh), ...scan('repeated findings', repeated)],
  };
}
