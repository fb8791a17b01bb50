import { rm } from 'node:fs/promises';
import type { Client } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { median } from '../median.ts';
import { type Export, measureExport } from '../reading/measure-export.ts';
import { countMatches, measureQuery } from '../reading/measure-query.ts';
import { listQueries, type Query } from '../reading/queries.ts';
import { MIXED_SCANS, writeMixedScan } from '../reading/write-mixed-scan.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { ingestFile, withService } from '../service.ts';
import type { BenchContext, Result, Suite, Target } from '../suite.ts';

const EXPORT_SECONDS = 25;
const EXPORT_MB = 300;
/** Statements of reads can take longer than in production, so that slow queries are measured as well. */
const SETTINGS = { SLUICE_READ_SECONDS: '50' };

/** Lists, groups, facets, searches and the export, after two scans of the same findings. */
export const READING: Suite = {
  name: 'reading',
  records: [1_000_000],
  run: async ({ folder, rounds, records }) =>
    await withService(async (service, client) => {
      const count = Math.min(...records);
      await ingestScans(service, client, folder, count);
      const context = `${count.toLocaleString('en')} findings, median of ${rounds} rounds`;
      return [await measureQueries(client, rounds, context), await measureExports(service, rounds, context)];
    }, SETTINGS),
};

async function ingestScans(
  service: Service,
  client: Client,
  folder: BenchContext['folder'],
  records: number,
): Promise<void> {
  for (const scan of MIXED_SCANS) {
    const file = await writeMixedScan(folder, records, scan);
    await ingestFile(service, client, file);
    await rm(file);
  }
}

async function measureQueries(client: Client, rounds: number, context: string): Promise<Result> {
  const measured: { query: Query; matches: number | string; times: number[] }[] = [];
  for (const query of await listQueries(client))
    measured.push({ query, matches: await countMatches(client, query), times: [] });
  for (let round = 0; round < rounds; round++)
    for (const { query, times } of measured) times.push(await measureQuery(client, query));
  return {
    title: `reading: requests, ${context}`,
    rows: measured.map(({ query, matches, times }) => ({
      request: query.name,
      matches,
      'median ms': roundToThreeDigits(median(times)),
      'worst ms': roundToThreeDigits(Math.max(...times)),
      target: query.targetMs,
    })),
    targets: measured.map(({ query, times }) => ({
      measure: `${query.name}, ms`,
      rounds: times,
      bound: 'at most',
      target: query.targetMs,
    })),
  };
}

async function measureExports(service: Service, rounds: number, context: string): Promise<Result> {
  const exports: Export[] = [];
  for (let round = 0; round < rounds; round++) exports.push(await measureExport(service));
  const title = `reading: export of all findings as CSV, ${context}`;
  const target = (measure: string, bound: number, of: (result: Export) => number): Target => ({
    measure: `export as CSV: ${measure}`,
    rounds: exports.map(of),
    bound: 'at most',
    target: bound,
  });
  return {
    title,
    rows: exports.map(({ seconds, bytes, peakMB }) => ({
      seconds: roundToThreeDigits(seconds),
      'MB of CSV': roundToThreeDigits(bytes / 1e6),
      'peak MB of the service': roundToThreeDigits(peakMB),
    })),
    targets: [
      target('seconds', EXPORT_SECONDS, ({ seconds }) => seconds),
      target('peak MB of the service', EXPORT_MB, ({ peakMB }) => peakMB),
    ],
  };
}
