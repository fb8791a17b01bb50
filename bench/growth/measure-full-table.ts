import { rm } from 'node:fs/promises';
import { createClient } from '../../packages/server/test/support/client.ts';
import { createSandbox, type Sandbox } from '../../packages/server/test/support/sandbox.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { PROVIDER_NAMES } from '../../tools/findings-generator/src/index.ts';
import { type BenchFile, generateFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { type Ingested, ingestFile } from '../service.ts';
import type { BenchContext, Result } from '../suite.ts';
import { fillTable } from './fill-table.ts';
import { ingestOnEmpty } from './measure-file-sizes.ts';

/** Size of the filled table, as a multiple of the measured file. */
const FILES_BEFORE = 100;

interface Round {
  readonly empty: Ingested;
  readonly full: Ingested;
}

/** Measures the ingestion of new findings into a table that contains many findings, compared with an empty table. */
export async function measureFullTable(
  { folder, rounds }: Pick<BenchContext, 'folder' | 'rounds'>,
  records: number,
): Promise<Result> {
  const sandbox = createSandbox();
  try {
    const service = await sandbox.startService(NO_SIZE_LIMITS);
    await fillTable(service, { folder, records, files: FILES_BEFORE });
    const [table] = await service.sql<{ megabytes: number }>(
      `select pg_total_relation_size('findings') / 1e6::float8 as megabytes`,
    );
    await service.end();
    const all: Round[] = [];
    // Use a different provider in each round, so that the findings are always new.
    for (const provider of PROVIDER_NAMES.slice(0, rounds)) {
      const file = await generateFile(folder, records, { indent: 0, provider });
      all.push({
        empty: await ingestOnEmpty(file),
        full: await ingestOnFull(sandbox, service, file),
      });
      await rm(file.path);
    }
    const title = `growth: ${records} new findings into a table of ${records * FILES_BEFORE} findings of the same and other tenants, with a size of ${roundToThreeDigits(table?.megabytes ?? Number.NaN)} MB including indexes; medians of ${all.length} rounds`;
    return { title, rows: [row('empty', all, 'empty'), row('full', all, 'full')] };
  } finally {
    await sandbox.clear();
  }
}

/** Ingests the file in a new process, as for the empty table. */
async function ingestOnFull(
  sandbox: Sandbox,
  { dataDir, key, tenantId }: Service,
  file: BenchFile,
): Promise<Ingested> {
  const service = { ...(await sandbox.startService(NO_SIZE_LIMITS, dataDir)), key };
  const before = await countFindingsOf(service, tenantId);
  const ingested = await ingestFile(service, createClient(service.url, key), file.path);
  const added = (await countFindingsOf(service, tenantId)) - before;
  if (added !== file.records) throw new Error(`expected ${file.records} new findings, got ${added}`);
  await service.end();
  return ingested;
}

async function countFindingsOf({ sql }: Service, tenantId: string): Promise<number> {
  const [row] = await sql<{ findings: number }>(
    `select coalesce(sum(count), 0)::float8 as findings from (
       select unnest(counts) as count from finding_totals where tenant_id = $1 and grouping = 4
       union all select unnest(counts) from finding_total_changes where tenant_id = $1
     ) as counts`,
    [tenantId],
  );
  return row?.findings ?? 0;
}

function row(table: string, all: readonly Round[], side: keyof Round): Record<string, string | number> {
  const seconds = median(all.map((round) => round[side].ended));
  const records = all[0]?.[side].records ?? Number.NaN;
  return {
    table,
    'seconds to completion': roundToThreeDigits(seconds),
    'records/s': Math.round(records / seconds),
    'ratio to empty table': roundToThreeDigits(
      median(all.map((round) => round[side].ended / round.empty.ended)),
    ),
    'service peak MiB': Math.round(Math.max(...all.map((round) => round[side].peakMiB))),
  };
}
